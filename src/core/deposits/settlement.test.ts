import { inEnglish } from '#core/sentences.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decimalToUnits as units, unitsToDecimal } from '#core/money/decimal.ts'
import { repayDebt, settlePayment, type PaymentState, type CashAndDebt } from './settlement.ts'

const state = (received: string | null, refunded = '0', disputed = '0'): PaymentState => ({
  received: received === null ? null : units(received),
  refunded: units(refunded),
  disputed: units(disputed),
})
const funds = (cash: string, owed = '0'): CashAndDebt => ({ cash: units(cash), owed: units(owed) })

const bookingsOf = (booked: PaymentState, truth: PaymentState, of: CashAndDebt) =>
  settlePayment({ userId: 'ada', booked, truth, funds: of })
    .map(({ movement, cash }) => `${movement.kind} ${unitsToDecimal(cash, 2)}`)
    .join(', ')

test.each([
  ['nothing paid yet', state(null), state(null), funds('5'), ''],
  ['paid', state(null), state('100'), funds('5'), 'deposit 100.00'],
  ['paid and booked', state('100'), state('100'), funds('5'), ''],
  [
    'paid while something is owed',
    state(null),
    state('100'),
    funds('0', '30'),
    'deposit 100.00, debt-repaid -30.00',
  ],
  [
    'paid while more is owed',
    state(null),
    state('100'),
    funds('0', '130'),
    'deposit 100.00, debt-repaid -100.00',
  ],
  ['refunded in part', state('100'), state('100', '40'), funds('100'), 'refund -40.00'],
  ['refunded more', state('100', '40'), state('100', '70'), funds('60'), 'refund -30.00'],
  [
    'refunded before the payment was reported',
    state(null),
    state('100', '100'),
    funds('0'),
    'deposit 100.00, refund -100.00',
  ],
  [
    'refunded after the money was spent',
    state('100'),
    state('100', '100'),
    funds('25'),
    'refund -25.00',
  ],
  ['refunded after all was spent', state('100'), state('100', '100'), funds('0'), 'refund 0.00'],
  [
    'a refund that bounced',
    state('100', '40'),
    state('100', '0'),
    funds('0', '15'),
    'refund-returned 40.00, debt-repaid -15.00',
  ],
  ['disputed', state('100'), state('100', '0', '100'), funds('100'), 'dispute -100.00'],
  [
    'a dispute won',
    state('100', '0', '100'),
    state('100'),
    funds('0', '100'),
    'dispute-returned 100.00, debt-repaid -100.00',
  ],
  [
    'refunded in part, the rest disputed',
    state('100'),
    state('100', '40', '60'),
    funds('50'),
    'refund -40.00, dispute -10.00',
  ],
  [
    'a refund bounced and a dispute came',
    state('100', '40'),
    state('100', '0', '100'),
    funds('60'),
    'refund-returned 40.00, dispute -100.00',
  ],
])('%s', (_story, booked, truth, of, bookings) =>
  expect(bookingsOf(booked, truth, of)).toBe(bookings),
)

const rowsOf = (booked: PaymentState, truth: PaymentState, of: CashAndDebt) =>
  settlePayment({ userId: 'ada', booked, truth, funds: of }).map(
    ({ type, description }) => `${type}: ${inEnglish(description)}`,
  )

test.each([
  [
    state(null),
    state('100'),
    funds('0', '30'),
    ['deposit: Card deposit', 'transfer: Repaid the amount owed after a refund or dispute'],
  ],
  [state('100'), state('100', '80'), funds('80'), ['refund: Refund of $80.00 to your card']],
  [
    state('100'),
    state('100', '80'),
    funds('20'),
    ['refund: Refund of $80.00 to your card, $60.00 of it owed'],
  ],
  [
    state('100'),
    state('100', '0', '80'),
    funds('80'),
    ['dispute: Card payment of $80.00 disputed'],
  ],
  [
    state('100'),
    state('100', '0', '80'),
    funds('20'),
    ['dispute: Card payment of $80.00 disputed, $60.00 of it owed'],
  ],
  [state('100', '80'), state('100'), funds('0'), ['refund: Refund not taken by your bank']],
  [state('100', '0', '80'), state('100'), funds('0'), ['dispute: Dispute decided in your favor']],
])(
  'from %o to %o, the rows of the history state what happened and what is owed',
  (booked, truth, of, rows) => {
    expect(rowsOf(booked, truth, of)).toEqual(rows)
  },
)

test.each([
  [1n, 5n],
  [5n, 1n],
])('of %s available units and %s owed, one unit is repaid', (cash, owed) => {
  expect(repayDebt({ userId: 'ada', funds: { cash, owed } })?.cash).toBe(-1n)
})

test('in any order of states, cash minus debt is the amount left of the payment', () => {
  const cents = fc.bigInt({ min: 0n, max: 10_000n }).map((amount) => amount * 1_000_000n)
  const truths = fc.array(fc.record({ received: cents, refunded: cents, disputed: cents }), {
    minLength: 1,
    maxLength: 8,
  })
  fc.assert(
    fc.property(truths, cents, (path, begin) => {
      let booked: PaymentState = { received: null, refunded: 0n, disputed: 0n }
      let of: CashAndDebt = { cash: begin, owed: 0n }
      const received = path[0]?.received ?? 0n
      for (const truth of path.map((step) => ({ ...step, received }))) {
        for (const { movement } of settlePayment({ userId: 'ada', booked, truth, funds: of })) {
          const change = (code: string) =>
            movement.entries
              .filter(({ account }) => account.code === code)
              .reduce((sum, { amount }) => sum + amount, 0n)
          of = {
            cash: of.cash + change('customer:cash'),
            owed: of.owed - change('customer:receivable'),
          }
        }
        booked = truth
        expect(of.cash - of.owed).toBe(begin + received - truth.refunded - truth.disputed)
        expect(of.cash >= 0n && of.owed >= 0n && (of.cash === 0n || of.owed === 0n)).toBe(true)
      }
    }),
  )
})
