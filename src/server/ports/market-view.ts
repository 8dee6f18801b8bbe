import type { CandleSeries } from '#core/market/candle-series.ts'
import type { Prices } from '#contract/market.ts'
import type { Pair } from '#core/market/pair.ts'
import type { Ticker } from '#core/market/ticker.ts'

/** A price with its market time. */
export type DatedTicker = Ticker & { marketTime: Date }

/**
 * The market as this process last read it. The engine that writes it may run in another process.
 */
export type MarketView = {
  /** Market time. */
  now: () => Date
  /** Market time at which this book's market began. */
  start: () => Date
  ticker: (pair: Pair) => DatedTicker | undefined
  /**
   * Age of the price of `pair` in milliseconds: by market time and, on a live market, at least by
   * the clock of this machine. Undefined without a price.
   */
  ageMs: (pair: Pair) => number | undefined
  /** Whether the price of `pair` is too old for a live market; never on a market that we drive. */
  isStale: (pair: Pair) => boolean
  prices: () => Prices
  /** Reads the engine's latest data. */
  refresh: () => Promise<void>
}

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
