import { maximum, minimum, type Units } from '#core/money/amount.ts'

/** Why an operator looks at a withdrawal before it is sent. */
export type ReviewReason = 'amount' | 'count' | 'young-deposits'

type ReviewLimits = {
  /** The most that one user requests within 24 hours. */
  amount: Units
  /** The most withdrawals of one user within 24 hours. */
  count: number
  /** The most that young deposits pay for. */
  youngDeposits: Units
}

type Asked = {
  amount: Units
  /** The cash before this withdrawal. */
  available: Units
  /** Within the last 24 hours, without this one. */
  requested: { amount: Units; count: number }
  /** Card deposits that are younger than `YOUNG_HOURS`. */
  youngDeposits: Units
}

/** A deposit by a stolen card is mostly noticed within this time. */
export const YOUNG_HOURS = 72

/**
 * The limits that this withdrawal is above. The oldest cash is spent first, so what remains of it
 * is paid for by young deposits.
 */
export function reviewReasons(
  { amount, available, requested, youngDeposits }: Asked,
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
