import { assert } from '#core/assert.ts'
import type { CandleSeries } from '#core/market/candle-series.ts'

/**
 * Measures how much a pair swung: exponential averages of squared log returns over several
 * half-lives at once, because volatility has a short and a long memory (Corsi 2009, "A Simple
 * Approximate Long-Memory Model of Realized Volatility", HAR).
 */

/** Half-lives in candles. The last is that of the plain formula, which the strategies use. */
const HALF_LIVES = [6, 24, 72, 168, 1_440, 480] as const
const DECAYS = HALF_LIVES.map((halfLife) => 2 ** (-1 / halfLife))

/** Maximum and minimum number of candles that a forecast uses. */
export const MOST_CANDLES = 8_640
const LEAST_CANDLES = 1_921

/**
 * Larger log returns of an hour are cut to this, so that a false candle cannot dominate for weeks.
 */
const LARGEST_MOVE = 0.5

/** `plain`: variance an hour. `features`: x_j = ln v_j − ln v_480 for the other half-lives. */
export type SwingFeatures = { plain: number; features: readonly number[] }

type Closes = Pick<CandleSeries, 'closeSignal' | 'length'>

/** r² of each candle, r = ln(close ÷ previous close), also across a hole. */
export function squaredMoves({ closeSignal, length }: Closes): Float64Array {
  return Float64Array.from({ length }, (_, index) => {
    const move = index === 0 ? 0 : Math.log(at(closeSignal, index) / at(closeSignal, index - 1))
    return Math.min(Math.abs(move), LARGEST_MOVE) ** 2
  })
}

/**
 * The features at the close of a candle. Undefined with too few candles, or if the pair never
 * moved.
 */
export function swingFeatures(
  averages: readonly Float64Array[],
  index: number,
): SwingFeatures | undefined {
  if (index + 1 < LEAST_CANDLES) return undefined
  const now = averages.map((average) => at(average, index))
  if (now.some((average) => average === 0)) return undefined
  const logs = now.map(Math.log)
  const plain = logs.pop() ?? 0
  return { plain: now.at(-1) ?? 0, features: logs.map((log) => log - plain) }
}

/**
 * The average of r² for each half-life after each candle: s ← k·s + r², minus the candle that drops
 * out of the last `MOST_CANDLES`; divided by the sum of the weights, (1 − kⁿ) ÷ (1 − k).
 */
export function swingAverages(squares: Float64Array): Float64Array[] {
  return DECAYS.map((decay) => {
    let sum = 0
    const leaving = decay ** MOST_CANDLES
    return squares.map((square, index) => {
      sum = decay * sum + square - leaving * (squares[index - MOST_CANDLES] ?? 0)
      return (sum * (1 - decay)) / (1 - decay ** Math.min(index, MOST_CANDLES))
    })
  })
}

function at(column: Float64Array, index: number): number {
  const value = column[index]
  assert(value !== undefined, 'a candle of the series')
  return value
}
