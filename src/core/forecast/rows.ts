import { DAY_MS, HOUR_MS } from '#core/market/candle.ts'
import type { CandleSeries } from '#core/market/candle-series.ts'
import type { Pair } from '#core/market/pair.ts'
import { squaredMoves, swingFeatures, type SwingFeatures } from './swings.ts'

/** Candles that a forecast is about. */
export const AHEAD = 24

export type ForecastMarket = { pair: Pair; series: CandleSeries }

/**
 * A midnight of a pair with its outcome. `target`: mean of r² over the next 24 candles; `move` and
 * `fall`: ln of their last and of their lowest close over this one. `knownAtMs`: when the outcome
 * was known. A model trained earlier may not contain it.
 */
export type ForecastRow = SwingFeatures & {
  pair: Pair
  timeMs: number
  knownAtMs: number
  target: number
  move: number
  fall: number
}

/** In the order of time, then of pairs as given. */
export function forecastRows(markets: readonly ForecastMarket[]): ForecastRow[] {
  const rows = markets.flatMap(rowsOf)
  return rows.toSorted((one, other) => one.timeMs - other.timeMs)
}

function rowsOf({ pair, series }: ForecastMarket): ForecastRow[] {
  const squares = squaredMoves(series)
  const rows: ForecastRow[] = []
  for (let index = 0; index + AHEAD < series.length; index += 1) {
    const timeMs = closeTime(series, index)
    const swings = timeMs % DAY_MS === 0 ? swingFeatures(squares, index) : undefined
    const outcome = outcomeOf(series, { squares, index })
    if (swings && outcome.target > 0)
      rows.push({
        ...swings,
        ...outcome,
        pair,
        timeMs,
        knownAtMs: closeTime(series, index + AHEAD),
      })
  }
  return rows
}

function outcomeOf(
  { closeSignal }: CandleSeries,
  { squares, index }: { squares: Float64Array; index: number },
): Pick<ForecastRow, 'target' | 'move' | 'fall'> {
  const next = [index + 1, index + 1 + AHEAD] as const
  const closes = closeSignal.subarray(...next)
  const close = closeSignal[index] ?? 0
  return {
    target: squares.subarray(...next).reduce((sum, square) => sum + square, 0) / AHEAD,
    move: Math.log((closes.at(-1) ?? 0) / close),
    fall: Math.log(Math.min(...closes) / close),
  }
}

function closeTime({ openTimesMs }: CandleSeries, index: number): number {
  return (openTimesMs[index] ?? 0) + HOUR_MS
}
