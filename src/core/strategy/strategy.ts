import type { CandleSeries } from '#core/market/candle-series.ts'
import type { TradingCosts } from '#core/trading/costs.ts'
import { FULL_EXPOSURE_BPS } from '#core/trading/rebalance.ts'
import { BALANCED_DRIFT_BPS, balancedBps } from './balanced-share.ts'
import type { Cause, FixedCause } from './reason.ts'
import { presetAt } from './preset.ts'
import { choiceOf, STRATEGY_KEYS, type StrategyKey } from './strategy-key.ts'
import {
  causeOfTrend,
  decideTrend,
  hasSettings,
  readCandle,
  startTrend,
  startTrends,
  type CandleSignal,
  type MarketTrends,
  type TrendStrategyState,
} from './trend.ts'

/**
 * State of a strategy. Only `advance` changes it, one closed candle at a time, so no decision can
 * depend on the future. For hold and balanced bots it never changes.
 */
export type StrategyState = TrendStrategyState | FixedCause

export function startStrategy(key: StrategyKey, costs: TradingCosts): StrategyState {
  const { strategy, riskLevel } = choiceOf(key)
  if (strategy === 'trend') return startTrend(presetAt(riskLevel, costs))
  return {
    kind: strategy,
    exposureBps: strategy === 'hold' ? FULL_EXPOSURE_BPS : balancedBps(riskLevel),
  }
}

export function advance(state: StrategyState, candle: CandleSignal): void {
  if (state.kind !== 'trend') return
  readCandle(state.trends, candle)
  decideTrend(state)
}

/** All strategies on one market. Strategies with the same lookbacks share their trends. */
export type StrategyGroup = {
  states: ReadonlyMap<StrategyKey, StrategyState>
  trends: readonly MarketTrends[]
  followers: readonly TrendStrategyState[]
}

export function startAll(costs: TradingCosts): StrategyGroup {
  const trends: MarketTrends[] = []
  const share = (key: StrategyKey): StrategyState => {
    const state = startStrategy(key, costs)
    if (state.kind !== 'trend') return state
    const known = trends.find((one) => hasSettings(one, state.preset)) ?? startTrends(state.preset)
    if (!trends.includes(known)) trends.push(known)
    return startTrend(state.preset, known)
  }
  const states = new Map(STRATEGY_KEYS.map((key) => [key, share(key)]))
  return {
    states,
    trends,
    followers: [...states.values()].filter((state) => state.kind === 'trend'),
  }
}

/** Advances all followers; each gets the same result as from `advance`. */
export function advanceAll({ trends, followers }: StrategyGroup, candle: CandleSignal): void {
  for (const one of trends) readCandle(one, candle)
  for (const state of followers) decideTrend(state)
}

export function causeOf(state: StrategyState): Cause {
  return state.kind === 'trend' ? causeOfTrend(state) : state
}

/**
 * Allowed drift from the target exposure, in basis points. Undefined if the strategy never trades
 * because of drift.
 */
export function allowedDriftBps(key: StrategyKey): number | undefined {
  return choiceOf(key).strategy === 'balanced' ? BALANCED_DRIFT_BPS : undefined
}

export function candleSignalAt(
  { highSignal, lowSignal, closeSignal }: CandleSeries,
  index: number,
): CandleSignal {
  return {
    high: highSignal[index] ?? Number.NaN,
    low: lowSignal[index] ?? Number.NaN,
    close: closeSignal[index] ?? Number.NaN,
  }
}
