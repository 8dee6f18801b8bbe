import { debtRepaid, depositCredited, paymentReversed, reversalReturned, type Reversal } from '#core/ledger/movements.ts'
import type { Movement } from '#core/ledger/transfer.ts'
import { maximum, minimum, type Units } from '#core/money/amount.ts'
import { moneyText } from '#core/money/text.ts'

/** What became of a card payment. `received` is null until it succeeded; `refunded` and `disputed` are what is gone of it at present. */
export type PaymentState = { received: Units | null; refunded: Units; disputed: Units }

/** One movement and the history row that tells of it. */
export type Booking = {
  movement: Movement
  type: 'deposit' | 'refund' | 'dispute' | 'transfer'
  /** What it does to the user's cash, signed. */
  cash: Units
  description: string
}

export type CashAndDebt = { cash: Units; owed: Units }
type Settlement = { userId: string; booked: PaymentState; truth: PaymentState; purse: CashAndDebt }

/**
 * What is to be booked so that the ledger says of a payment what its provider says: the difference, whatever happened in between and in
 * whatever order it was heard of. What comes in pays what is owed first.
 */
export function settlePayment({ userId, booked, truth, purse }: Settlement): Booking[] {
  if (truth.received === null) return []
  const bookings: Booking[] = []
  let { cash, owed } = purse
  const book = (booking: Booking, nowOwed: Units) => {
    bookings.push(booking)
    cash += booking.cash
    owed = nowOwed
  }
  if (booked.received === null) book(credit({ userId, amount: truth.received }), owed)
  const changes = (['refund', 'dispute'] as const).map((reversal) => {
    const field = reversal === 'refund' ? 'refunded' : 'disputed'
    return { userId, reversal, amount: truth[field] - booked[field] }
  })
  for (const change of changes) if (change.amount < 0n) book(giveBack({ ...change, amount: -change.amount }), owed)
  for (const change of changes) if (change.amount > 0n) book(take({ ...change, cash }), owed + maximum(0n, change.amount - cash))
  const repayment = repayDebt({ userId, purse: { cash, owed } })
  return repayment ? [...bookings, repayment] : bookings
}

/** As much of what is owed as the cash can pay; undefined where there is nothing to pay, or nothing to pay it with. */
export function repayDebt({ userId, purse: { cash, owed } }: { userId: string; purse: CashAndDebt }): Booking | undefined {
  const amount = minimum(cash, owed)
  if (amount <= 0n) return undefined
  const movement = debtRepaid({ userId, amount })
  return { movement, type: 'transfer', cash: -amount, description: 'Repaid what a refund or dispute had left open' }
}

const credit = ({ userId, amount }: { userId: string; amount: Units }): Booking =>
  ({ movement: depositCredited({ userId, amount }), type: 'deposit', cash: amount, description: 'Card deposit' })

type Change = { userId: string; reversal: Reversal; amount: Units }

function take({ cash, ...change }: Change & { cash: Units }): Booking {
  const { reversal, amount } = change
  const missing = maximum(0n, amount - cash)
  const what = reversal === 'refund' ? `Refund of ${moneyText({ amount })} to your card` : `Card payment of ${moneyText({ amount })} disputed`
  const description = missing > 0n ? `${what}, ${moneyText({ amount: missing })} of it owed` : what
  return { movement: paymentReversed({ ...change, cash }), type: reversal, cash: missing - amount, description }
}

function giveBack(change: Change): Booking {
  const description = change.reversal === 'refund' ? 'Refund not taken by your bank' : 'Dispute decided in your favour'
  return { movement: reversalReturned(change), type: change.reversal, cash: change.amount, description }
}
