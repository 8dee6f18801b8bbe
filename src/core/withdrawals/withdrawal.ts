import type { Movement } from '#core/ledger/transfer.ts'
import { payoutFailed, payoutPaid, payoutReturned, payoutSubmitted, withdrawalReleased } from '#core/ledger/movements.ts'
import { maximum, ONE, type Units } from '#core/money/amount.ts'
import { unitsToDecimal } from '#core/money/decimal.ts'
import { Refusal } from '#core/refusal.ts'

/** Least that may be withdrawn, USD. */
export const MINIMUM_WITHDRAWAL: Units = 10n * ONE

export type WithdrawalState =
  | 'pending'
  | 'in_review'
  | 'approved'
  | 'submitted'
  | 'paid'
  | 'failed'
  | 'returned'
  | 'canceled'
  | 'rejected'

export type WithdrawalAction = 'review' | 'approve' | 'reject' | 'cancel' | 'submit' | 'mark-paid' | 'mark-failed' | 'mark-returned'

/** Money that came by card not long ago: counted as in the cash until then, wherever it was put since. */
export type Hold = { amount: Units; until: Date }

export type WithdrawalTerms = {
  available: Units
  /** What refunds and disputes left open: above 0, nothing leaves. */
  owed: Units
  holds: readonly Hold[]
}

/**
 * Refuses in the order the product names: nothing asked, more than is there, less than the minimum. Whoever owes has nothing to withdraw
 * and is told why; a hold is named last, with the day on which it ends.
 */
export function checkWithdrawal({ amount, ...terms }: WithdrawalTerms & { amount: Units }): void {
  if (amount <= 0n) throw new Refusal('withdrawal-amount-invalid', { field: 'amount' })
  refuseDebtor(terms.owed)
  if (amount > terms.available) throw new Refusal('withdrawal-above-available', { field: 'amount' })
  if (amount < MINIMUM_WITHDRAWAL) throw new Refusal('withdrawal-below-minimum', { field: 'amount' })
  const from = freeFrom({ amount, ...terms })
  if (from) throw new Refusal('withdrawal-on-hold', { field: 'amount', sentence: sentenceOfHold(from, terms) })
}

/** Nothing leaves while something is owed: neither a new withdrawal, nor one that was asked for before. */
export function refuseDebtor(owed: Units): void {
  if (owed <= 0n) return
  const open = unitsToDecimal(-owed, 2).slice(1)
  const sentence = `A card payment of yours was refunded or disputed after its money was used. Withdrawals continue once $${open} is paid back, by a deposit or by money from your bots.`
  throw new Refusal('withdrawals-frozen', { sentence })
}

/** What may leave at once: the cash, less what is on hold. */
export function withdrawableOf({ available, holds }: Pick<WithdrawalTerms, 'available' | 'holds'>): Units {
  return maximum(0n, available - holds.reduce((sum, { amount }) => sum + amount, 0n))
}

/** When `amount` may leave; undefined for at once. */
function freeFrom({ amount, available, holds }: Pick<WithdrawalTerms, 'available' | 'holds'> & { amount: Units }): Date | undefined {
  const ended = holds.toSorted((a, b) => a.until.getTime() - b.until.getTime())
  const enough = Array.from({ length: ended.length + 1 }, (_, count) => count).find((count) => withdrawableOf({ available, holds: ended.slice(count) }) >= amount)
  return enough === undefined ? ended.at(-1)?.until : ended[enough - 1]?.until
}

function sentenceOfHold(from: Date, terms: WithdrawalTerms): string {
  const [day = '', time = ''] = from.toISOString().split('T')
  return `Money that came by card is held for a while: this amount can be withdrawn from ${day} ${time.slice(0, 5)} UTC. Up to $${unitsToDecimal(withdrawableOf(terms), 2)} can be withdrawn now.`
}

type Step = { from: readonly WithdrawalState[]; to: WithdrawalState; moves?: (of: { userId: string; amount: Units }) => Movement }

const STEPS: Record<WithdrawalAction, Step> = {
  review: { from: ['pending'], to: 'in_review' },
  approve: { from: ['pending', 'in_review'], to: 'approved' },
  reject: { from: ['pending', 'in_review'], to: 'rejected', moves: withdrawalReleased },
  cancel: { from: ['pending', 'in_review'], to: 'canceled', moves: withdrawalReleased },
  submit: { from: ['approved'], to: 'submitted', moves: payoutSubmitted },
  'mark-paid': { from: ['submitted'], to: 'paid', moves: payoutPaid },
  'mark-failed': { from: ['submitted'], to: 'failed', moves: payoutFailed },
  'mark-returned': { from: ['paid'], to: 'returned', moves: payoutReturned },
}

/** Where an action leads from a state and what money it moves; refuses what the state machine does not know. */
export function advanceWithdrawal(
  { state, userId, amount }: { state: WithdrawalState; userId: string; amount: Units },
  action: WithdrawalAction,
): { state: WithdrawalState; movement: Movement | undefined } {
  const step = STEPS[action]
  if (!step.from.includes(state)) {
    throw new Refusal(action === 'cancel' ? 'withdrawal-not-cancelable' : 'withdrawal-state')
  }
  return { state: step.to, movement: step.moves?.({ userId, amount }) }
}

/** The state as users see it. */
export function shownStatus(state: WithdrawalState): 'pending' | 'processing' | 'completed' | 'failed' {
  if (state === 'pending' || state === 'in_review') return 'pending'
  if (state === 'approved' || state === 'submitted') return 'processing'
  return state === 'paid' ? 'completed' : 'failed'
}

export function isCancelable(state: WithdrawalState): boolean {
  return STEPS.cancel.from.includes(state)
}
