import type { Sentence } from '#core/sentences.ts'
import type { Pair } from '#core/market/pair.ts'
import type { Units } from '#core/money/amount.ts'
import type { Fill } from '#core/trading/fill.ts'
import { explainTrade, type Cause } from './reason.ts'

export type BacktestTrade = Fill & {
  /** Open time of the candle that filled it. */
  timeMs: number
  pair: Pair
  /** Profit of a sale after venue fees; 0 for a buy. */
  profit: Units
  exposureBps: number
  /** Composed on access. */
  readonly reason: Sentence
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
  /** The applied exposure before the trade. */
  fromBps: number
  exposureBps: number
  guard: Sentence | undefined
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
