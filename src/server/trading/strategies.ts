import { present } from '#core/assert.ts'
import { countBefore, historyStart, type CandleSeries } from '#core/market/candle-series.ts'
import type { Pair } from '#core/market/pair.ts'
import { RISK_LEVELS, type RiskLevel } from '#core/strategy/risk-level.ts'
import { advance, barAt, decisionOf, startStrategy, type Decision, type StrategyState } from '#core/strategy/strategy.ts'
import type { Candles } from '#server/market/candles.ts'

/** What each preset wants on each pair, kept up to the last closed candle. */
export type Strategies = {
  /** Takes in the candles of `pair` closed by `untilMs`, a whole hour, and decides for each risk level. */
  decide: (pair: Pair, untilMs: number) => (Decision & { riskLevel: RiskLevel })[]
}

type Followed = { fromMs: number; seen: number; states: Map<RiskLevel, StrategyState> }

export function openStrategies(candles: Candles): Strategies {
  const followed = new Map<Pair, Followed>()
  return {
    decide: (pair, untilMs) => {
      const series = candles.until(pair, untilMs)
      const fromMs = historyStart(untilMs)
      const known = followed.get(pair)
      const current = known?.fromMs === fromMs ? known : startFollowing(fromMs)
      followed.set(pair, current)
      follow(current, series, countBefore(series, untilMs))
      return RISK_LEVELS.map((riskLevel) => ({ riskLevel, ...decisionOf(present(current.states.get(riskLevel), riskLevel)) }))
    },
  }
}

function startFollowing(fromMs: number): Followed {
  return { fromMs, seen: 0, states: new Map(RISK_LEVELS.map((riskLevel) => [riskLevel, startStrategy(riskLevel)])) }
}

function follow(current: Followed, series: CandleSeries, closed: number): void {
  for (const state of current.states.values()) {
    for (let index = current.seen; index < closed; index += 1) advance(state, barAt(series, index))
  }
  current.seen = closed
}
