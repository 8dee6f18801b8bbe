import { dailyReturns } from '#core/luck/returns.ts'
import { DAY_MS, YEAR_MS } from '#core/market/candle.ts'
import { maximum, type Units } from '#core/money/amount.ts'
import { multiplyDivideFloor } from '#core/money/rounding.ts'

/** Units of quote. */
export type EquityPoint = { timeMs: number; equity: Units }

/** Precision of fractions: finer than any screen shows. */
const MILLION = 1_000_000n

/** A fraction of `start`: 0.1 is 10 %, -1 a total loss. 0 if `start` is 0. */
export function totalReturn({ start, end }: { start: Units; end: Units }): number {
  return start > 0n ? ratio({ part: end - start, whole: start }) : 0
}

/** Compound annual growth rate, a fraction. Undefined below 30 days, where it would mislead. */
export function cagr({
  start,
  end,
  durationMs,
}: {
  start: Units
  end: Units
  durationMs: number
}): number | undefined {
  if (durationMs < 30 * DAY_MS || start <= 0n) return undefined
  return (1 + totalReturn({ start, end })) ** (YEAR_MS / durationMs) - 1
}

/**
 * The deepest fall, as a fraction of the peak before it: 0.25 is 25 % below. Falls between the
 * points of the curve are missed.
 */
export function maxDrawdown(curve: readonly EquityPoint[]): number {
  let peak = 0n
  let deepest = 0
  for (const { equity } of curve) {
    peak = maximum(peak, equity)
    if (peak > 0n) deepest = Math.max(deepest, ratio({ part: peak - equity, whole: peak }))
  }
  return deepest
}

/**
 * Annualized Sharpe ratio: mean over standard deviation of the daily returns × √365, risk-free rate
 * 0. `daily`: equity signals at the end of each day. Undefined below 30 returns or if equity never
 * moved.
 */
export function sharpe(daily: readonly number[]): number | undefined {
  const spread = dailySpread(daily)
  return spread && spread.deviation > 0
    ? (spread.mean / spread.deviation) * Math.sqrt(365)
    : undefined
}

/** A fraction: standard deviation of the daily returns × √365. Undefined below 30 returns. */
export function volatilityAYear(daily: readonly number[]): number | undefined {
  const spread = dailySpread(daily)
  return spread && spread.deviation * Math.sqrt(365)
}

function dailySpread(daily: readonly number[]): { mean: number; deviation: number } | undefined {
  const returns = dailyReturns(daily)
  if (returns.length < 30) return undefined
  const mean = returns.reduce((sum, each) => sum + each, 0) / returns.length
  const variance = returns.reduce((sum, each) => sum + (each - mean) ** 2, 0) / (returns.length - 1)
  return { mean, deviation: Math.sqrt(variance) }
}

function ratio({ part, whole }: { part: Units; whole: Units }): number {
  return Number(multiplyDivideFloor({ a: part, b: MILLION, divisor: whole })) / Number(MILLION)
}
