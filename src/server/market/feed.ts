import type { CandleSeries } from '#core/market/candle-series.ts'
import type { Pair } from '#core/market/pair.ts'

/** Port: where prices come from. A simulated or recorded market is driven by the engine's clock, hour after hour. */
export type Feed = {
  kind: 'simulated' | 'replay'
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
  /** The candles of `pair` that open at `fromMs` or later and before `toMs`. */
  candles: (range: { pair: Pair; fromMs: number; toMs: number }) => CandleSeries
}
