import { groupBy } from '#core/group-by.ts'
import type { CandleSeries } from '#core/market/candle-series.ts'
import { baseOf, type Pair } from '#core/market/pair.ts'
import type { Units } from '#core/money/amount.ts'
import type { TradingCosts } from '#core/trading/costs.ts'
import type { Side } from '#core/trading/fill.ts'
import type { MoneyMove } from './growth.ts'
import { holdFlows } from './hold-flows.ts'
import { holdWorth } from './hold-worth.ts'

/** Trades by side and coin. */
export function countTrades(trades: readonly { side: Side; pair: Pair }[]) {
  const groups = groupBy(trades, ({ side, pair }) => `${side} ${pair}`)
  return [...groups.values()].flatMap(([first, ...more]) =>
    first ? [{ side: first.side, coin: baseOf(first.pair), count: 1 + more.length }] : [],
  )
}

/** The sales with the highest and the lowest profit. A single sale is the best, without a worst. */
export function bestAndWorst<Trade extends { profit: Units | null }>(trades: readonly Trade[]) {
  const sales = trades
    .flatMap(({ profit, ...trade }) => (profit === null ? [] : [{ ...trade, profit }]))
    .toSorted((a, b) => (a.profit < b.profit ? 1 : -1))
  return { best: sales[0] ?? null, worst: sales.slice(1).at(-1) ?? null }
}

/** `worth`: when the week began. `moves`: money in and out since, in order of time. */
export type WeekOfBot = { pairs: readonly Pair[]; worth: Units; moves: readonly MoneyMove[] }

type WeekOfMarket = {
  fromMs: number
  seriesOf: (pair: Pair) => CandleSeries
  costs: TradingCosts
  priceOf: (pair: Pair) => Units
}

/**
 * Result of the same money in the same coins, bought to hold when the week began or the money came.
 * Undefined without money in bots.
 */
export function heldInstead(
  bots: readonly WeekOfBot[],
  { fromMs, seriesOf, costs, priceOf }: WeekOfMarket,
): Units | undefined {
  const results = bots.flatMap(({ pairs, worth, moves: since }) => {
    const moves = worth > 0n ? [{ timeMs: fromMs, amount: worth }, ...since] : since
    if (moves.length === 0) return []
    const { held } = holdFlows({ pairs, seriesOf, costs, moves })
    return moves.reduce((sum, { amount }) => sum - amount, holdWorth(held, priceOf))
  })
  return results.length === 0 ? undefined : results.reduce((sum, result) => sum + result, 0n)
}
