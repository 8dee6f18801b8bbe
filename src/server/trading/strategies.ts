import { required } from '#core/assert.ts'
import { countBefore, type CandleSeries } from '#core/market/candle-series.ts'
import type { Pair } from '#core/market/pair.ts'
import { RISK_LEVELS, type RiskLevel } from '#core/strategy/risk-level.ts'
import type { TradingCosts } from '#core/trading/costs.ts'
import { advance, candleSignalAt, decisionOf, startStrategy, type Decision, type StrategyState } from '#core/strategy/strategy.ts'
import type { Candles } from '#server/ports/candles.ts'

/** The exposures that each preset wants on each pair, up to the last closed candle. */
export type Strategies = {
  /** Processes the candles of `pair` closed by `untilMs`, a whole hour, and decides for each risk level. */
  decide: (pair: Pair, untilMs: number) => (Decision & { riskLevel: RiskLevel })[]
}

/** `series`: a different object means a different history, which must be processed from its start. */
type Followed = { series: CandleSeries; seen: number; states: Map<RiskLevel, StrategyState> }

export function openStrategies(candles: Candles, costs: TradingCosts): Strategies {
  const followed = new Map<Pair, Followed>()
  return {
    decide: (pair, untilMs) => {
      const series = candles.until(pair, untilMs)
      const known = followed.get(pair)
      const current = known?.series === series ? known : startFollowing(series, costs)
      followed.set(pair, current)
      follow(current, countBefore(series, untilMs))
      return RISK_LEVELS.map((riskLevel) => ({ riskLevel, ...decisionOf(required(current.states.get(riskLevel), riskLevel)) }))
    },
  }
}

function startFollowing(series: CandleSeries, costs: TradingCosts): Followed {
  return { series, seen: 0, states: new Map(RISK_LEVELS.map((riskLevel) => [riskLevel, startStrategy(riskLevel, costs)])) }
}

function follow(current: Followed, closed: number): void {
  for (const state of current.states.values()) {
    for (let index = current.seen; index < closed; index += 1) advance(state, candleSignalAt(current.series, index))
  }
  current.seen = closed
}
