import type { Units } from '#core/money/amount.ts'

/**
 * All that ever went in and out of an account, and what trading made of it. Card payments that were
 * taken back count as not deposited.
 */
export type AccountTotals = { deposited: Units; withdrawn: Units; fees: Units; result: Units }

type Account = { total: Units; owed: Units; deposited: Units; withdrawn: Units; fees: Units }

/**
 * The result of trading is all that is there, less what is owed, less what came from outside:
 * deposits and withdrawals are no gain and no loss.
 */
export function accountTotals({ total, owed, deposited, withdrawn, fees }: Account): AccountTotals {
  return { deposited, withdrawn, fees, result: total - owed - deposited + withdrawn }
}

const NONE: AccountTotals = { deposited: 0n, withdrawn: 0n, fees: 0n, result: 0n }

/** The totals of the time since `before`. Over consecutive times they add up to the whole. */
export function totalsSince(now: AccountTotals, before: AccountTotals = NONE): AccountTotals {
  return {
    deposited: now.deposited - before.deposited,
    withdrawn: now.withdrawn - before.withdrawn,
    fees: now.fees - before.fees,
    result: now.result - before.result,
  }
}

/**
 * The next step about a limit of loss: report that it was reached, watch for it again once the loss
 * is a tenth below it, or nothing.
 */
export function lossStep({
  result,
  limit,
  isReported,
}: {
  result: Units
  limit: Units
  isReported: boolean
}): 'report' | 'watch' | undefined {
  const loss = -result
  if (!isReported) return loss >= limit ? 'report' : undefined
  return loss * 10n < limit * 9n ? 'watch' : undefined
}
