import type { CandleSeries } from '#core/market/candle-series.ts'
import type { Pair } from '#core/market/pair.ts'
import type { Units } from '#core/money/amount.ts'

/** Port: where prices come from. A simulated or recorded market is driven by the engine's clock, hour after hour; a live one goes by itself. */
export type Feed = {
  kind: 'simulated' | 'replay' | 'live'
  /** What screens call it. */
  label: string
  /** Names this very market: a clock never continues on another. */
  identity: string
  pairs: readonly Pair[]
  /** Market seconds per real second where the configuration says nothing. */
  defaultSpeed: number
  /** Market time, a whole hour, at which a new book begins. */
  beginMs: (nowMs: number) => number
  /** After this market time there are no candles; undefined where the market goes on for ever. */
  endMs: number | undefined
  /** The candles of `pair` that open at `fromMs` or later and before `toMs`; of a live market those that closed. */
  candles: (range: { pair: Pair; fromMs: number; toMs: number }) => CandleSeries
  /** What only a live market has. */
  live?: LiveMarket
}

export type Quote = {
  price: Units
  /** When the exchange was last heard to say so, market time. */
  atMs: number
}

/** The side of a feed that nobody drives: prices of the moment, candles as they close, and how sure both are. */
export type LiveMarket = {
  /** Market time: the wall's clock as the exchange tells it. */
  nowMs: () => number
  /** The latest whole hour whose candles are all here, or are waited for no longer. */
  closedUntilMs: () => number
  /** The last price heard, however old; undefined in a process that does not follow. */
  quote: (pair: Pair) => Quote | undefined
  /** Orders may be sent: the price is fresh, the last closed hour has its candle, and the machine's clock can be believed. */
  isOpen: (pair: Pair) => boolean
  /** Rises when the past of `pair` changed: an older candle came late. */
  version: (pair: Pair) => number
  /** How many candles are known: while it grows by more than one an hour, history is still being filled. */
  candleCount: () => number
  /** A price older than this is stale: nobody trades on it, and screens say from when it is. */
  staleAfterMs: number
  /** Follows the exchange until `signal` ends it. Never rejects: what fails is tried again. */
  follow: (signal: AbortSignal) => Promise<void>
  /** Takes in the candles that other processes kept. */
  refresh: () => Promise<void>
  report: () => FeedReport
}

/** What operators want to know of a feed that this process follows. */
export type FeedReport = {
  following: boolean
  connected: boolean
  /** Connections attempted after the first. */
  reconnects: number
  /** Prices taken in. */
  updates: number
  /** Candles that the exchange told anew, and differently: the first stay. */
  corrections: number
  /** How far the machine's clock is behind the exchange's; undefined while nobody measured it. */
  clockOffsetMs: number | undefined
}
