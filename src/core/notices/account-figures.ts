import type { Units } from '#core/money/amount.ts'

/** `result`: of trading. `deposited`: less refunds and disputes. */
export type AccountTotals = { deposited: Units; withdrawn: Units; fees: Units; result: Units }

type AccountFigures = { total: Units; owed: Units; deposited: Units; withdrawn: Units; fees: Units }

export function accountTotals({
  total,
  owed,
  deposited,
  withdrawn,
  fees,
}: AccountFigures): AccountTotals {
  return { deposited, withdrawn, fees, result: total - owed - deposited + withdrawn }
}

const NONE: AccountTotals = { deposited: 0n, withdrawn: 0n, fees: 0n, result: 0n }

/** Differences of consecutive periods add up to that of the whole period. */
export function totalsSince(now: AccountTotals, before: AccountTotals = NONE): AccountTotals {
  return {
    deposited: now.deposited - before.deposited,
    withdrawn: now.withdrawn - before.withdrawn,
    fees: now.fees - before.fees,
    result: now.result - before.result,
  }
}

/**
 * Reports a loss when it reaches the limit. It is reported again only if it was a tenth below the
 * limit in between.
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
