import type { CandleSeries } from '#core/market/candle-series.ts'
import type { Pair } from '#core/market/pair.ts'
import type { Units } from '#core/money/amount.ts'
import type { Sentence } from '#core/sentences.ts'
import type { VenueName } from '#core/trading/costs.ts'

/**
 * Port: where prices come from. A simulated or recorded market is driven hour by hour by the
 * engine's clock; a live one runs by itself.
 */
export type Feed = {
  kind: 'simulated' | 'replay' | 'live'
  /** Name on screen. */
  label: Sentence
  /** A warning about the prices, unless they are real. */
  note?: Sentence
  /** Identifies this market: a clock never continues on another one. */
  identity: string
  /** The exchange whose trading costs apply to these prices. */
  venue: VenueName
  pairs: readonly Pair[]
  /**
   * Seed of a simulated market, which determines all its prices; undefined for any other market.
   */
  seed?: number
  /** Market seconds per real second, unless configured. */
  defaultSpeed: number
  /** Market time, a whole hour, at which a new book begins. */
  beginMs: (nowMs: number) => number
  /** Market time of the last candle's end; undefined if the market never ends. */
  endMs: number | undefined
  /**
   * The candles of `pair` that open at `fromMs` or later and before `toMs`; of a live market those
   * that closed.
   */
  candles: (range: { pair: Pair; fromMs: number; toMs: number }) => CandleSeries
  /** Present for a live market only. */
  live?: LiveMarket
}

export type Quote = {
  price: Units
  /** Time of the exchange's last report of the price, market time. */
  atMs: number
}

/** A market that runs by itself: current prices, candles as they close, and their reliability. */
export type LiveMarket = {
  /** Market time: the exchange's clock. */
  nowMs: () => number
  /** The latest whole hour whose candles are all present, or no longer awaited. */
  closedUntilMs: () => number
  /** Whether the machine's clock is close enough to the exchange's. Measures it if needed. */
  checkClock: () => Promise<boolean>
  /**
   * The last price received, however old; undefined in a process that does not follow the exchange.
   */
  quote: (pair: Pair) => Quote | undefined
  /**
   * Whether orders may be sent: the price is fresh, the last closed hour has its candle, and the
   * machine's clock is reliable.
   */
  isOpen: (pair: Pair) => boolean
  /** Rises when the past of `pair` changes, because an older candle arrived late. */
  version: (pair: Pair) => number
  /** Number of known candles: while it grows faster than hourly, history is still being loaded. */
  candleCount: () => number
  /** A price older than this is stale: it is not traded on, and screens show its time. */
  staleAfterMs: number
  /** Follows the exchange until `signal` ends it. Never rejects: failures are retried. */
  follow: (signal: AbortSignal) => Promise<void>
  /** Loads candles that other processes stored. */
  refresh: () => Promise<void>
  report: () => FeedReport
}

/** Status of a feed for operators. */
export type FeedReport = {
  following: boolean
  connected: boolean
  /** Connections attempted after the first. */
  reconnects: number
  /** Prices received. */
  updates: number
  /** Candles that the exchange sent again with other values: the first ones stay. */
  corrections: number
  /**
   * How far the machine's clock is behind the exchange's; undefined before the first measurement.
   */
  clockOffsetMs: number | undefined
}
