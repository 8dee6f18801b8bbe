import {
  debtRepaid,
  depositCredited,
  paymentReversed,
  reversalReturned,
  type Reversal,
} from '#core/ledger/movements.ts'
import type { Movement } from '#core/ledger/transfer.ts'
import { maximum, minimum, type Units } from '#core/money/amount.ts'
import { englishMoneyText } from '#core/money/text.ts'
import { sentence, type Sentence } from '#core/sentences.ts'

/**
 * State of a card payment. `received` is null until it succeeded; `refunded` and `disputed` are the
 * amounts currently taken back.
 */
export type PaymentState = { received: Units | null; refunded: Units; disputed: Units }

/** One movement and its row in the user's history. */
export type Booking = {
  movement: Movement
  type: 'deposit' | 'refund' | 'dispute' | 'transfer'
  /** Change of the user's cash, signed. */
  cash: Units
  description: Sentence
}

/** A user's available cash and debt, units of USD, both at least 0. */
export type CashAndDebt = { cash: Units; owed: Units }
type Settlement = { userId: string; booked: PaymentState; truth: PaymentState; funds: CashAndDebt }

/**
 * The bookings that bring the ledger to the provider's state of a payment. They depend only on the
 * difference of both states, so reports may be lost or arrive in any order. Money that comes in
 * repays debt first.
 */
export function settlePayment({ userId, booked, truth, funds }: Settlement): Booking[] {
  if (truth.received === null) return []
  const bookings: Booking[] = []
  let { cash } = funds
  const book = (booking: Booking) => {
    bookings.push(booking)
    cash += booking.cash
  }
  if (booked.received === null) book(credit({ userId, amount: truth.received }))
  const changes = (['refund', 'dispute'] as const).map((reversal) => {
    const field = reversal === 'refund' ? 'refunded' : 'disputed'
    return { userId, reversal, amount: truth[field] - booked[field] }
  })
  for (const change of changes)
    if (change.amount < 0n) book(giveBack({ ...change, amount: -change.amount }))
  for (const change of changes) if (change.amount > 0n) book(take({ ...change, cash }))
  // A debt that one of these reversals creates is not repaid here, because no cash is left.
  const repayment = repayDebt({ userId, funds: { ...funds, cash } })
  return repayment ? [...bookings, repayment] : bookings
}

/** Repays as much of the debt as the cash covers; undefined if there is no debt or no cash. */
export function repayDebt({
  userId,
  funds: { cash, owed },
}: {
  userId: string
  funds: CashAndDebt
}): Booking | undefined {
  const amount = minimum(cash, owed)
  if (amount <= 0n) return undefined
  const movement = debtRepaid({ userId, amount })
  return { movement, type: 'transfer', cash: -amount, description: sentence('repaid') }
}

const credit = ({ userId, amount }: { userId: string; amount: Units }): Booking => ({
  movement: depositCredited({ userId, amount }),
  type: 'deposit',
  cash: amount,
  description: sentence('cardDeposit'),
})

const TAKEN = {
  refund: { all: 'refund', owed: 'refundOwed' },
  dispute: { all: 'dispute', owed: 'disputeOwed' },
} as const

type Change = { userId: string; reversal: Reversal; amount: Units }

function take({ cash, ...change }: Change & { cash: Units }): Booking {
  const { reversal, amount } = change
  const missing = maximum(0n, amount - cash)
  const { all, owed } = TAKEN[reversal]
  const taken = englishMoneyText({ amount })
  const description =
    missing > 0n
      ? sentence(owed, { amount: taken, missing: englishMoneyText({ amount: missing }) })
      : sentence(all, { amount: taken })
  return {
    movement: paymentReversed({ ...change, cash }),
    type: reversal,
    cash: missing - amount,
    description,
  }
}

function giveBack(change: Change): Booking {
  const description = sentence(change.reversal === 'refund' ? 'refundReturned' : 'disputeWon')
  return {
    movement: reversalReturned(change),
    type: change.reversal,
    cash: change.amount,
    description,
  }
}
