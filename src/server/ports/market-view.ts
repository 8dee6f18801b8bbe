import type { Prices } from '#contract/market.ts'
import type { Pair } from '#core/market/pair.ts'
import type { Ticker } from '#core/market/ticker.ts'

/** A price with the market time that it is of. */
export type DatedTicker = Ticker & { marketTime: Date }

/** The market as this process last heard of it from the engine, wherever that runs. */
export type MarketView = {
  /** Market time. */
  now: () => Date
  ticker: (pair: Pair) => DatedTicker | undefined
  /** How old the price of `pair` is, milliseconds of market time; undefined where it has none. */
  ageMs: (pair: Pair) => number | undefined
  /** The price of `pair` is older than a live market's should be; of a market that we drive it never is. */
  isStale: (pair: Pair) => boolean
  prices: () => Prices
  /** Reads what the engine wrote last. */
  refresh: () => Promise<void>
}
