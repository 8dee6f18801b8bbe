import { expect, test } from 'vitest'
import {
  blockAllocated, blockFilled, blockRounded, botFunded, botReturned, debtRepaid, depositCredited, paymentReversed, payoutFailed, payoutPaid, payoutReturned,
  payoutSubmitted, platformFeesPaid, reversalReturned, venueFunded, withdrawalHeld, withdrawalReleased,
} from './movements.ts'
import { movement, type Movement } from './transfer.ts'

const of = { userId: 'ada', amount: 7n }
const buy = { side: 'buy', base: 'BTC', quantity: 3n, total: 7n } as const
const sell = { ...buy, side: 'sell' } as const

/** Every movement of the product: what leaves, what arrives. */
const TABLE: [kind: string, made: Movement, entries: string][] = [
  ['deposit', depositCredited(of), 'card:clearing USD -7, customer:cash ada USD 7'],
  ['refund', paymentReversed({ ...of, cash: 9n, reversal: 'refund' }), 'customer:cash ada USD -7, card:clearing USD 7'],
  ['refund', paymentReversed({ ...of, cash: 3n, reversal: 'refund' }), 'customer:cash ada USD -3, customer:receivable ada USD -4, card:clearing USD 7'],
  ['dispute', paymentReversed({ ...of, cash: 0n, reversal: 'dispute' }), 'customer:receivable ada USD -7, card:clearing USD 7'],
  ['refund-returned', reversalReturned({ ...of, reversal: 'refund' }), 'card:clearing USD -7, customer:cash ada USD 7'],
  ['dispute-returned', reversalReturned({ ...of, reversal: 'dispute' }), 'card:clearing USD -7, customer:cash ada USD 7'],
  ['debt-repaid', debtRepaid(of), 'customer:cash ada USD -7, customer:receivable ada USD 7'],
  ['withdrawal-hold', withdrawalHeld(of), 'customer:cash ada USD -7, customer:hold ada USD 7'],
  ['withdrawal-release', withdrawalReleased(of), 'customer:hold ada USD -7, customer:cash ada USD 7'],
  ['payout-submitted', payoutSubmitted(of), 'customer:hold ada USD -7, payout:clearing USD 7'],
  ['payout-paid', payoutPaid(of), 'payout:clearing USD -7, bank USD 7'],
  ['payout-failed', payoutFailed(of), 'payout:clearing USD -7, customer:cash ada USD 7'],
  ['payout-returned', payoutReturned(of), 'bank USD -7, customer:cash ada USD 7'],
  ['bot-funded', botFunded(of), 'customer:cash ada USD -7, bots USD 7'],
  ['bot-returned', botReturned(of), 'bots USD -7, customer:cash ada USD 7'],
  ['block-filled', blockFilled({ ...buy, by: 'venue' }), 'trade:clearing USD -7, venue USD 7, trade:clearing BTC 3, venue BTC -3'],
  ['block-filled', blockFilled({ ...sell, by: 'venue' }), 'trade:clearing USD 7, venue USD -7, trade:clearing BTC -3, venue BTC 3'],
  ['block-filled', blockFilled({ ...sell, by: 'house' }), 'trade:clearing USD 7, rounding USD -7, trade:clearing BTC -3, rounding BTC 3'],
  ['venue-funded', venueFunded({ amount: 7n }), 'venue USD -7, bank USD 7'],
  ['block-allocated', blockAllocated(buy), 'bots USD -7, trade:clearing USD 7, bots BTC 3, trade:clearing BTC -3'],
  ['block-allocated', blockAllocated(sell), 'bots USD 7, trade:clearing USD -7, bots BTC -3, trade:clearing BTC 3'],
  ['block-rounded', blockRounded({ base: 'BTC', baseLeft: 2n, quoteLeft: 0n }), 'trade:clearing BTC -2, rounding BTC 2'],
  ['block-rounded', blockRounded({ base: 'BTC', baseLeft: 0n, quoteLeft: 0n }), ''],
  ['platform-fees', platformFeesPaid({ amount: 7n }), 'bots USD -7, fees:income USD 7'],
]

test.each(TABLE)('%s', (kind, made, entries) => {
  const told = made.entries.map(({ account, amount }) => [account.code, 'owner' in account ? account.owner : '', account.asset, amount].join(' ').replace('  ', ' '))
  expect([made.kind, told.join(', ')]).toEqual([kind, entries])
  const assets = new Set(made.entries.map(({ account }) => account.asset))
  for (const asset of assets) {
    expect(made.entries.filter(({ account }) => account.asset === asset).reduce((sum, { amount }) => sum + amount, 0n)).toBe(0n)
  }
})

test('entries that do not balance in each asset by itself are a bug', () => {
  const [dollars, coins] = [{ code: 'bots', asset: 'USD' }, { code: 'bots', asset: 'BTC' }] as const
  expect(() => movement('odd', [{ account: dollars, amount: 5n }, { account: coins, amount: -5n }])).toThrow('odd does not balance in USD: 5')
})
