import { required } from '#core/assert.ts'
import { countBefore, type CandleSeries } from '#core/market/candle-series.ts'
import type { Pair } from '#core/market/pair.ts'
import { outlookOf, type Outlook } from '#core/strategy/next-change.ts'
import type { Cause } from '#core/strategy/reason.ts'
import {
  advanceAll,
  candleSignalAt,
  causeOf,
  startAll,
  type StrategyGroup,
} from '#core/strategy/strategy.ts'
import { STRATEGY_KEYS, type StrategyKey } from '#core/strategy/strategy-key.ts'
import type { TradingCosts } from '#core/trading/costs.ts'
import type { Candles } from '#server/ports/market-view.ts'

/**
 * A strategy's decision on a pair at the last closed hour; `cause` has the target exposure.
 * `outlook`: only for trend strategies.
 */
export type Want = { strategy: StrategyKey; cause: Cause; outlook?: Outlook }

type Strategies = {
  /** Processes the candles of `pair` closed by `untilMs`, a whole hour, and decides. */
  decide: (pair: Pair, untilMs: number) => Want[]
}

/** If `series` is replaced by another object, the new history is processed from its start. */
type Followed = { series: CandleSeries; seen: number; group: StrategyGroup }

export function openStrategies(candles: Candles, costs: TradingCosts): Strategies {
  const followed = new Map<Pair, Followed>()
  return {
    decide: (pair, untilMs) => {
      const series = candles.until(pair, untilMs)
      const closed = countBefore(series, untilMs)
      const known = followed.get(pair)
      const current =
        known?.series === series && known.seen <= closed ? known : startFollowing(series, costs)
      followed.set(pair, current)
      follow(current, closed)
      return STRATEGY_KEYS.map((strategy) => {
        const state = required(current.group.states.get(strategy), strategy)
        const outlook = state.kind === 'trend' ? { outlook: outlookOf(state) } : {}
        return { strategy, cause: causeOf(state), ...outlook }
      })
    },
  }
}

function startFollowing(series: CandleSeries, costs: TradingCosts): Followed {
  return { series, seen: 0, group: startAll(costs) }
}

function follow(current: Followed, closed: number): void {
  for (; current.seen < closed; current.seen += 1)
    advanceAll(current.group, candleSignalAt(current.series, current.seen))
}
