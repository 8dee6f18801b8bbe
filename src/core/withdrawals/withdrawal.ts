import type { Movement } from '#core/ledger/transfer.ts'
import { payoutFailed, payoutPaid, payoutReturned, payoutSubmitted, withdrawalReleased } from '#core/ledger/movements.ts'
import { ONE, type Units } from '#core/money/amount.ts'
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

/** Refuses in the order the product names: nothing asked, more than is there, less than the minimum. */
export function checkWithdrawal({ amount, available }: { amount: Units; available: Units }): void {
  if (amount <= 0n) throw new Refusal('withdrawal-amount-invalid', { field: 'amount' })
  if (amount > available) throw new Refusal('withdrawal-above-available', { field: 'amount' })
  if (amount < MINIMUM_WITHDRAWAL) throw new Refusal('withdrawal-below-minimum', { field: 'amount' })
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
