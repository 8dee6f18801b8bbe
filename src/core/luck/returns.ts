import { assert } from '#core/assert.ts'

/** Trading never closes. */
export const DAYS_A_YEAR = 365

/**
 * Moments of daily returns, which are fractions. A normal distribution has skewness 0 and kurtosis
 * 3.
 */
export type ReturnMoments = {
  count: number
  mean: number
  deviation: number
  skewness: number
  kurtosis: number
}

/** Fractions: 0.01 is 1 %. */
export function dailyReturns(values: readonly number[]): number[] {
  return values.slice(1).map((value, index) => value / (values[index] ?? value) - 1)
}

/** `cashRate`: yearly, a fraction. Throws `AssertionFailed` below three returns. */
export function momentsOf(
  returns: readonly number[],
  { cashRate = 0 }: { cashRate?: number } = {},
): ReturnMoments {
  const count = returns.length
  assert(count >= 3, 'moments need three returns')
  const mean = returns.reduce((sum, each) => sum + each, 0) / count
  const central = (power: number) =>
    returns.reduce((sum, each) => sum + (each - mean) ** power, 0) / count
  const variance = central(2)
  return {
    count,
    mean: mean - ((1 + cashRate) ** (1 / DAYS_A_YEAR) - 1),
    deviation: Math.sqrt((variance * count) / (count - 1)),
    skewness: variance > 0 ? central(3) / variance ** 1.5 : 0,
    kurtosis: variance > 0 ? central(4) / variance ** 2 : 3,
  }
}
