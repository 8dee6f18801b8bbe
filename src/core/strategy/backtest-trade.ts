import type { Pair } from '#core/market/pair.ts'
import type { Units } from '#core/money/amount.ts'
import type { Fill, Side } from '#core/trading/fill.ts'
import { explainTrade, type Cause } from './reason.ts'

/**
 * One trade of a backtest. It carries no platform fee, which is charged once, when money leaves the
 * bot.
 */
export type BacktestTrade = {
  /** Open time of the candle at whose open it was filled. */
  timeMs: number
  pair: Pair
  side: Side
  quantity: Units
  price: Units
  /** Units of quote traded, before the fee. */
  notional: Units
  /** Venue fee, units of quote. */
  fee: Units
  /** Profit (> 0) or loss of a sale after venue fees; 0 for a buy. */
  profit: Units
  exposureBps: number
  /** Sentence for users, composed on access. */
  readonly reason: string
}

export function backtestTrade({
  timeMs,
  pair,
  fill,
  profit,
  cause,
  fromBps,
  exposureBps,
  guard,
}: {
  timeMs: number
  pair: Pair
  fill: Fill
  profit: Units
  cause: Cause
  /** Applied exposure before the trade. */
  fromBps: number
  exposureBps: number
  /** The sentence of the guard that sold, if one did. */
  guard: string | undefined
}): BacktestTrade {
  return {
    timeMs,
    pair,
    ...fill,
    profit,
    exposureBps,
    get reason() {
      return guard ?? explainTrade(cause, fromBps)
    },
  }
}
