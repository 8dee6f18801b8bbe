import type { Pair } from '#core/market/pair.ts'
import type { Units } from '#core/money/amount.ts'
import type { Fill, Side } from '#core/trading/fill.ts'
import { explain, type Cause } from './reason.ts'

/** A line of a backtest's journal. The platform's fee is in none: it is taken once, when money leaves the bot. */
export type BacktestTrade = {
  /** The open of the candle that it was filled at. */
  timeMs: number
  pair: Pair
  side: Side
  quantity: Units
  price: Units
  /** Money traded, before the fee. */
  notional: Units
  /** The venue's fee. */
  fee: Units
  /** Gain or loss of a sale after the venue's fees; 0 for a buy. */
  profit: Units
  exposureBps: number
  /** Made when it is read. */
  readonly reason: string
}

export function backtestTrade({ timeMs, pair, fill, profit, cause }: {
  timeMs: number
  pair: Pair
  fill: Fill
  profit: Units
  cause: Cause
}): BacktestTrade {
  return {
    timeMs,
    pair,
    ...fill,
    profit,
    exposureBps: cause.exposureBps,
    get reason() {
      return cause.trends === 0 ? 'Bought once and held' : explain(cause)
    },
  }
}
