import { DAY_MS } from '#core/market/candle.ts'
import type { CandleSeries } from '#core/market/candle-series.ts'
import { PAIRS, type Pair } from '#core/market/pair.ts'
import { decimalToUnits } from '#core/money/decimal.ts'
import type { Units } from '#core/money/amount.ts'
import { backtest, buyAndHold } from '#core/strategy/backtest.ts'
import { lookbacksAt } from '#core/strategy/preset.ts'
import { byRiskLevel, type RiskLevel } from '#core/strategy/risk-level.ts'
import { exposureChanges } from '#core/strategy/signals.ts'
import type { DecidedMarket } from '#core/strategy/sleeve.ts'
import type { TradingCosts } from '#core/trading/costs.ts'
import { distributionOf, type Distribution, type Outcome } from './distribution.ts'
import { TARGETS } from './target.ts'
import { botEnd, heldEnd, type Window } from './window-end.ts'

export const WINDOW_DAYS = 365
/** Investment of every window, USD. Costs are proportional, so the amount hardly matters; it is large enough that rounding does not. */
export const WINDOW_INVESTED: Units = decimalToUnits('10000')

export type EvidenceMarket = { pair: Pair; series: CandleSeries }

/** `feeBps`: platform fee in basis points of profit. */
export type EvidenceInput = { markets: readonly EvidenceMarket[]; costs: TradingCosts; feeBps: number }

export type LevelEvidence = {
  outcomes: readonly Outcome[]
  distribution: Distribution
  /** Max drawdown over the whole period, a fraction of the peak, measured at every close. */
  deepestFall: number
}

export type Evidence = {
  pairs: readonly Pair[]
  windows: readonly Window[]
  levels: Record<RiskLevel, LevelEvidence>
  /** The same money bought and held. It has no target of its own. */
  held: LevelEvidence
}

/**
 * The result of each risk level in every twelve-month window of the candles, one starting at each midnight (UTC), with the money split
 * over all pairs. Hypothetical. Undefined if the candles do not span a window.
 */
export function evidenceOf({ markets, costs, feeBps }: EvidenceInput): Evidence | undefined {
  const warmUp = Math.max(...lookbacksAt(costs)) + 1
  const inOrder = markets.filter(({ series }) => windowsOf([series], warmUp).length > 0).toSorted((a, b) => PAIRS.indexOf(a.pair) - PAIRS.indexOf(b.pair))
  const windows = windowsOf(inOrder.map(({ series }) => series), warmUp)
  if (windows.length === 0) return undefined
  const money = { invested: WINDOW_INVESTED, costs, feeBps }
  const whole = { ...money, markets: inOrder, fromMs: windows[0]?.fromMs ?? 0, toMs: windows.at(-1)?.toMs ?? 0, curvePoints: 2 }
  const level = (riskLevel: RiskLevel): LevelEvidence => {
    const decided = inOrder.map((market) => decidedBy(riskLevel, market, costs))
    const outcomes = windows.map((window) => ({ window, end: botEnd({ window, markets: decided, ...money }) }))
    const distribution = distributionOf(outcomes, { invested: WINDOW_INVESTED, targetPercent: TARGETS[riskLevel].from })
    return { outcomes, distribution, deepestFall: backtest({ ...whole, markets: decided, riskLevel }).maxDrawdown }
  }
  const undecided = inOrder.map((market): DecidedMarket => ({ ...market, changes: [] }))
  const heldOutcomes = windows.map((window) => ({ window, end: heldEnd({ window, markets: undecided, ...money }) }))
  return {
    pairs: inOrder.map(({ pair }) => pair),
    windows,
    levels: byRiskLevel(level),
    held: {
      outcomes: heldOutcomes,
      distribution: distributionOf(heldOutcomes, { invested: WINDOW_INVESTED, targetPercent: 0 }),
      deepestFall: buyAndHold({ ...whole, riskLevel: 'moderate' }).maxDrawdown,
    },
  }
}

/** Windows start once the longest trend of every pair can be judged, and end no later than the last candle of any pair, which sells it. */
function windowsOf(series: readonly CandleSeries[], warmUp: number): Window[] {
  if (series.length === 0) return []
  const firstMs = Math.max(...series.map(({ openTimesMs, length }) => (length > warmUp ? (openTimesMs[warmUp] ?? 0) : Number.POSITIVE_INFINITY)))
  const lastMs = Math.min(...series.map(({ openTimesMs, length }) => openTimesMs[length - 1] ?? 0))
  const windows: Window[] = []
  for (let fromMs = Math.ceil(firstMs / DAY_MS) * DAY_MS; fromMs + WINDOW_DAYS * DAY_MS <= lastMs; fromMs += DAY_MS) {
    windows.push({ fromMs, toMs: fromMs + WINDOW_DAYS * DAY_MS })
  }
  return windows
}

function decidedBy(riskLevel: RiskLevel, { pair, series }: EvidenceMarket, costs: TradingCosts): DecidedMarket {
  return { pair, series, changes: exposureChanges({ riskLevel, costs, series, fromCount: 0, toCount: series.length }) }
}
