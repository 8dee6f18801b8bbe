import { expect, test } from 'vitest'
import {
  blockSettled,
  botFunded,
  botReturned,
  debtRepaid,
  depositCredited,
  interestFunded,
  interestPaid,
  paymentReversed,
  payoutFailed,
  payoutPaid,
  payoutReturned,
  payoutSubmitted,
  poolMoved,
  reversalReturned,
  venueFunded,
  withdrawalHeld,
  withdrawalReleased,
} from './movements.ts'
import { movement, type Movement } from './transfer.ts'

const of = { userId: 'ada', amount: 7n }
const none = { cash: 0n, coins: 0n }
const buyers = {
  base: 'BTC',
  pools: [
    { pool: 4, cash: -60n, coins: 5n },
    { pool: 5, cash: -40n, coins: 3n },
  ],
  own: none,
} as const
const sellers = {
  base: 'BTC',
  pools: [{ pool: 4, cash: 60n, coins: -5n }],
  own: { cash: 20n, coins: -2n },
} as const

const TABLE: [kind: string, make: () => Movement, entries: string][] = [
  ['deposit', () => depositCredited(of), 'card:clearing ada USD -7, customer:cash ada USD 7'],
  [
    'refund',
    () => paymentReversed({ ...of, cash: 9n, reversal: 'refund' }),
    'customer:cash ada USD -7, card:clearing ada USD 7',
  ],
  [
    'refund',
    () => paymentReversed({ ...of, cash: 3n, reversal: 'refund' }),
    'customer:cash ada USD -3, customer:receivable ada USD -4, card:clearing ada USD 7',
  ],
  [
    'dispute',
    () => paymentReversed({ ...of, cash: 0n, reversal: 'dispute' }),
    'customer:receivable ada USD -7, card:clearing ada USD 7',
  ],
  [
    'refund-returned',
    () => reversalReturned({ ...of, reversal: 'refund' }),
    'card:clearing ada USD -7, customer:cash ada USD 7',
  ],
  [
    'dispute-returned',
    () => reversalReturned({ ...of, reversal: 'dispute' }),
    'card:clearing ada USD -7, customer:cash ada USD 7',
  ],
  ['debt-repaid', () => debtRepaid(of), 'customer:cash ada USD -7, customer:receivable ada USD 7'],
  [
    'withdrawal-hold',
    () => withdrawalHeld(of),
    'customer:cash ada USD -7, customer:hold ada USD 7',
  ],
  [
    'withdrawal-release',
    () => withdrawalReleased(of),
    'customer:hold ada USD -7, customer:cash ada USD 7',
  ],
  [
    'payout-submitted',
    () => payoutSubmitted(of),
    'customer:hold ada USD -7, payout:clearing ada USD 7',
  ],
  ['payout-paid', () => payoutPaid(of), 'payout:clearing ada USD -7, bank ada USD 7'],
  ['payout-failed', () => payoutFailed(of), 'payout:clearing ada USD -7, customer:cash ada USD 7'],
  ['payout-returned', () => payoutReturned(of), 'bank ada USD -7, customer:cash ada USD 7'],
  ['bot-funded', () => botFunded(of), 'customer:cash ada USD -7, bots ada USD 7'],
  [
    'bot-returned',
    () => botReturned({ ...of, fee: 2n }),
    'bots ada USD -7, fees:income ada USD 2, customer:cash ada USD 5',
  ],
  [
    'bot-returned',
    () => botReturned({ ...of, fee: 0n }),
    'bots ada USD -7, customer:cash ada USD 7',
  ],
  [
    'bot-returned',
    () => botReturned({ ...of, dust: 1n, fee: 0n }),
    'bots ada USD -6, rounding ada USD -1, customer:cash ada USD 7',
  ],
  ['venue-funded', () => venueFunded({ amount: 7n }), 'venue USD -7, bank USD 7'],
  ['venue-funded', () => venueFunded({ amount: -7n }), 'venue USD 7, bank USD -7'],
  [
    'interest-paid',
    () =>
      interestPaid([
        { pool: 4, amount: 5n },
        { pool: 9, amount: 2n },
      ]),
    'interest USD -7, pool 4 USD 5, pool 9 USD 2',
  ],
  ['interest-funded', () => interestFunded({ amount: 7n }), 'bank USD -7, interest USD 7'],
  [
    'block-settled',
    () => blockSettled({ ...buyers, paid: { cash: 98n, coins: -9n }, by: 'venue' }),
    'pool 4 USD -60, pool 4 BTC 5, pool 5 USD -40, pool 5 BTC 3, venue USD 98, venue BTC -9, ' +
      'rounding USD 2, rounding BTC 1',
  ],
  [
    'block-settled',
    () => blockSettled({ ...sellers, paid: { cash: -81n, coins: 7n }, by: 'venue' }),
    'pool 4 USD 60, pool 4 BTC -5, bots USD 20, bots BTC -2, venue USD -81, venue BTC 7, ' +
      'rounding USD 1',
  ],
  [
    'block-settled',
    () => blockSettled({ ...sellers, paid: { cash: -81n, coins: 7n }, by: 'house' }),
    'pool 4 USD 60, pool 4 BTC -5, bots USD 20, bots BTC -2, rounding USD -80, rounding BTC 7',
  ],
  [
    'pair-settled',
    () => blockSettled({ ...sellers, paid: { cash: -81n, coins: 7n }, by: 'operator' }),
    'pool 4 USD 60, pool 4 BTC -5, bots USD 20, bots BTC -2, bank USD -81, bank BTC 7, ' +
      'rounding USD 1',
  ],
  [
    'pool-joined',
    () =>
      poolMoved('pool-joined', {
        base: 'BTC',
        pools: [{ pool: 4, cash: 60n, coins: 0n }],
        own: { cash: -60n, coins: 0n },
      }),
    'pool 4 USD 60, bots USD -60',
  ],
  [
    'pool-left',
    () =>
      poolMoved('pool-left', {
        base: 'BTC',
        pools: [{ pool: 4, cash: -60n, coins: -5n }],
        own: { cash: 59n, coins: 5n },
      }),
    'pool 4 USD -60, pool 4 BTC -5, bots USD 59, bots BTC 5, rounding USD 1',
  ],
]

test.each(TABLE)('%s moves exactly the listed entries', (kind, make, entries) => {
  const made = make()
  const listed = made.entries.map(({ account, amount }) => {
    const owner = 'owner' in account ? account.owner : 'pool' in account ? account.pool : ''
    return [account.code, owner, account.asset, amount].join(' ').replace('  ', ' ')
  })
  expect([made.kind, listed.join(', ')]).toEqual([kind, entries])
  const assets = new Set(made.entries.map(({ account }) => account.asset))
  for (const asset of assets) {
    expect(
      made.entries
        .filter(({ account }) => account.asset === asset)
        .reduce((sum, { amount }) => sum + amount, 0n),
    ).toBe(0n)
  }
})

test('a transfer touches accounts of one user only, or of the house only', () => {
  for (const [kind, make] of TABLE) {
    const owners = new Set(
      make().entries.map(({ account }) => ('owner' in account ? account.owner : 'the house')),
    )
    expect([kind, owners.size]).toEqual([kind, 1])
  }
})

test('entries must balance in each asset', () => {
  const [dollars, coins] = [
    { code: 'bots', asset: 'USD' },
    { code: 'bots', asset: 'BTC' },
  ] as const
  expect(() =>
    movement('odd', [
      { account: dollars, amount: 5n },
      { account: coins, amount: -5n },
    ]),
  ).toThrow('odd does not balance in USD: 5')
})
