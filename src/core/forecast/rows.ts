import { DAY_MS, HOUR_MS } from '#core/market/candle.ts'
import type { CandleSeries } from '#core/market/candle-series.ts'
import type { Pair } from '#core/market/pair.ts'
import { squaredMoves, swingAverages, swingFeatures } from './swings.ts'
import type { Closes, SwingFeatures } from './swings.ts'

/** Number of candles that a forecast covers. */
export const AHEAD = 24

export type ForecastMarket = { pair: Pair; series: CandleSeries }

/**
 * A midnight with its outcome. `target`: mean of r² over the next 24 candles. `path`: ln of each of
 * their closes divided by the close at midnight. `move` and `fall`: the last and the lowest value
 * of `path`. `knownAtMs`: when the outcome was known; models trained earlier must not use the day.
 */
export type PastDay = SwingFeatures & {
  timeMs: number
  knownAtMs: number
  target: number
  path: Float64Array
  move: number
  fall: number
}

export type ForecastRow = PastDay & { pair: Pair }

/** In the order of time, then of pairs as given. */
export function forecastRows(markets: readonly ForecastMarket[]): ForecastRow[] {
  const rows = markets.flatMap(({ pair, series }) =>
    pastDays(series).map((day) => ({ ...day, pair })),
  )
  return rows.toSorted((one, other) => one.timeMs - other.timeMs)
}

/** Days whose outcome is in the candles, oldest first. */
export function pastDays(candles: Closes): PastDay[] {
  const { closeSignal, openTimesMs, length } = candles
  const squares = squaredMoves(candles)
  const averages = swingAverages(squares)
  const closeTime = (index: number) => (openTimesMs[index] ?? 0) + HOUR_MS
  const days: PastDay[] = []
  for (let index = 0; index + AHEAD < length; index += 1) {
    const timeMs = closeTime(index)
    const swings = timeMs % DAY_MS === 0 ? swingFeatures(averages, index) : undefined
    if (!swings) continue
    const next = [index + 1, index + 1 + AHEAD] as const
    const target = squares.subarray(...next).reduce((sum, square) => sum + square, 0) / AHEAD
    if (target === 0) continue
    const close = closeSignal[index] ?? 0
    const path = closeSignal.slice(...next).map((later) => Math.log(later / close))
    const [move, fall] = [path.at(-1) ?? 0, Math.min(...path)]
    days.push({ ...swings, timeMs, knownAtMs: closeTime(index + AHEAD), target, path, move, fall })
  }
  return days
}
