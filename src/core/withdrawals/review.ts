import { maximum, minimum, type Units } from '#core/money/amount.ts'

export type ReviewReason = 'amount' | 'count' | 'young-deposits'

type ReviewLimits = {
  /** Per user within 24 hours. */
  amount: Units
  /** Per user within 24 hours. */
  count: number
  /** Amount paid for by young deposits. */
  youngDeposits: Units
}

type WithdrawalToReview = {
  amount: Units
  /** Cash before this withdrawal. */
  available: Units
  /** Within the last 24 hours, without this one. */
  requested: { amount: Units; count: number }
  youngDeposits: Units
}

/** Payments with stolen cards are mostly reported within this time. */
export const YOUNG_HOURS = 72

/**
 * The limits that this withdrawal exceeds. The oldest cash is spent first; young deposits pay for
 * the rest.
 */
export function reviewReasons(
  { amount, available, requested, youngDeposits }: WithdrawalToReview,
  limits: ReviewLimits,
): ReviewReason[] {
  const paidByYoung = minimum(amount, maximum(0n, amount - maximum(0n, available - youngDeposits)))
  const reasons: [ReviewReason, boolean][] = [
    ['amount', requested.amount + amount > limits.amount],
    ['count', requested.count + 1 > limits.count],
    ['young-deposits', paidByYoung > limits.youngDeposits],
  ]
  return reasons.flatMap(([reason, applies]) => (applies ? [reason] : []))
}
