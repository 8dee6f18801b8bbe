import type { CandleSeries } from '#core/market/candle-series.ts'
import type { Pair } from '#core/market/pair.ts'

/**
 * Closed candles of every pair, cached in memory for engine, backtests and curves of this process.
 */
export type Candles = {
  /**
   * The candles of `pair` from the start of history to those that open before `untilMs`, a whole
   * hour. The series may already contain later ones: bound every read with `countBefore`.
   */
  until: (pair: Pair, untilMs: number) => CandleSeries
}
