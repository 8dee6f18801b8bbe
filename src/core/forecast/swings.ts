import { required } from '#core/assert.ts'
import type { CandleSeries } from '#core/market/candle-series.ts'

/**
 * Features: exponential averages of squared log returns over several half-lives at once, because
 * volatility has a short and a long memory (Corsi 2009, "A Simple Approximate Long-Memory Model of
 * Realized Volatility", HAR).
 */

/** Half-lives in candles. The first is that of the plain formula, which the strategies use. */
const HALF_LIVES = [480, 6, 24, 72, 168, 1_440] as const

/** Maximum and minimum number of candles that a forecast uses. */
export const MOST_CANDLES = 8_640
const LEAST_CANDLES = 1_921

/** Larger log returns are cut to this, so that a false candle cannot dominate for weeks. */
const LARGEST_MOVE = 0.5

/** `plain`: variance an hour. `features`: x_j = ln v_j − ln v_480 for the other half-lives. */
export type SwingFeatures = { plain: number; features: readonly number[] }

export type Closes = Pick<CandleSeries, 'closeSignal' | 'openTimesMs' | 'length'>

/** r² of each candle, r = ln(close ÷ previous close), also across a hole. */
export function squaredMoves({ closeSignal, length }: Omit<Closes, 'openTimesMs'>): Float64Array {
  return Float64Array.from({ length }, (_, index) => {
    const before = valueAt(closeSignal, Math.max(index - 1, 0))
    return Math.min(Math.abs(Math.log(valueAt(closeSignal, index) / before)), LARGEST_MOVE) ** 2
  })
}

/**
 * The average of r² for each half-life after each candle: s ← k·s + r², minus the candle that drops
 * out of the last `MOST_CANDLES`; divided by the sum of the weights, (1 − kⁿ) ÷ (1 − k).
 */
export function swingAverages(squares: Float64Array): Float64Array[] {
  return HALF_LIVES.map((halfLife) => {
    const decay = 2 ** (-1 / halfLife)
    const leaving = decay ** MOST_CANDLES
    let sum = 0
    return squares.map((square, index) => {
      sum = decay * sum + square - leaving * (squares[index - MOST_CANDLES] ?? 0)
      return (sum * (1 - decay)) / (1 - decay ** Math.min(index, MOST_CANDLES))
    })
  })
}

/**
 * Features at the close of a candle. Undefined with too few candles, or if the pair never moved.
 */
export function swingFeatures(
  averages: readonly Float64Array[],
  index: number,
): SwingFeatures | undefined {
  const [plain = 0, ...others] = averages.map((average) => valueAt(average, index))
  if (index + 1 < LEAST_CANDLES || plain === 0 || others.includes(0)) return undefined
  return { plain, features: others.map((average) => Math.log(average) - Math.log(plain)) }
}

/** The first `count` candles of a series. */
export type KnownCandles = { series: Closes; count: number }

/** Features after the last known candle, from only as many candles as needed. */
export function swingsAfter(known: KnownCandles): SwingFeatures | undefined {
  const last = lastOf(known, MOST_CANDLES + 1)
  return swingFeatures(swingAverages(squaredMoves(last)), last.length - 1)
}

export function lastOf({ series, count }: KnownCandles, most: number): Closes {
  const first = Math.max(0, count - most)
  return {
    closeSignal: series.closeSignal.subarray(first, count),
    openTimesMs: series.openTimesMs.subarray(first, count),
    length: count - first,
  }
}

export function valueAt(values: ArrayLike<number>, index: number): number {
  return required(values[index], 'a value for each index')
}
