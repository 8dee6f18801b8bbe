import { dailyReturns } from '#core/luck/returns.ts'
import type { CandleSeries } from '#core/market/candle-series.ts'
import { PAIRS, type Pair } from '#core/market/pair.ts'
import { decimalToUnits } from '#core/money/decimal.ts'
import type { Units } from '#core/money/amount.ts'
import { backtest, buyAndHold, type BacktestResult } from '#core/strategy/backtest.ts'
import { lookbacksAt } from '#core/strategy/preset.ts'
import { byRiskLevel, type RiskLevel } from '#core/strategy/risk-level.ts'
import { exposureChanges } from '#core/strategy/signals.ts'
import type { DecidedMarket } from '#core/strategy/sleeve.ts'
import type { TradingCosts } from '#core/trading/costs.ts'
import { distributionOf, type Distribution, type Outcome } from './distribution.ts'
import { TARGETS } from './target.ts'
import { universesOf, type Universe } from './universe.ts'
import { botEnd, heldEnd, type Window } from './window-end.ts'

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
  /** Daily returns over the whole period, after the costs of trading and before the platform fee: see `luckOf`. */
  returns: readonly number[]
}

export type Evidence = {
  pairs: readonly Pair[]
  windows: readonly Window[]
  /** In how many windows each pair with candles takes part: 0 if they are too few. */
  coverage: readonly { pair: Pair; windows: number }[]
  levels: Record<RiskLevel, LevelEvidence>
  /** The same money bought and held. It has no target of its own. */
  held: LevelEvidence
}

/** One risk level alone. */
export type OneLevelEvidence = Pick<Evidence, 'pairs' | 'windows'> & { level: LevelEvidence }

/**
 * The result of each risk level in every twelve-month window of the candles, one starting at each midnight (UTC), with the money split
 * over the pairs that could be traded on its first day. Hypothetical. Undefined if the candles do not span a window.
 */
export function evidenceOf(input: EvidenceInput): Evidence | undefined {
  const ground = groundOf(input)
  if (ground === undefined) return undefined
  const { inOrder, universes, money, ...shown } = ground
  const undecided = inOrder.map((market): DecidedMarket => ({ ...market, changes: [] }))
  return {
    ...shown,
    levels: byRiskLevel((riskLevel) => levelOn(ground, riskLevel)),
    held: outcomesOf(universes, {
      targetPercent: 0,
      endOf: (members, window) => heldEnd({ window, markets: pick(undecided, members), ...money }),
      runOf: (members, period) => buyAndHold({ ...money, ...period, markets: pick(inOrder, members), riskLevel: 'moderate', curvePoints: 2 }),
      feeBps: 0,
    }),
  }
}

/** The same figures of one risk level, in a fraction of the time. */
export function oneLevelEvidence(input: EvidenceInput, riskLevel: RiskLevel): OneLevelEvidence | undefined {
  const ground = groundOf(input)
  return ground && { pairs: ground.pairs, windows: ground.windows, level: levelOn(ground, riskLevel) }
}

/** Windows and their pairs, which all levels share. */
type EvidenceGround = Pick<Evidence, 'pairs' | 'windows' | 'coverage'> & {
  inOrder: readonly EvidenceMarket[]
  universes: readonly Universe[]
  money: { invested: Units; costs: TradingCosts; feeBps: number }
}

function groundOf({ markets, costs, feeBps }: EvidenceInput): EvidenceGround | undefined {
  const inOrder = markets.filter(({ series }) => series.length > 0).toSorted((a, b) => PAIRS.indexOf(a.pair) - PAIRS.indexOf(b.pair))
  const universes = universesOf(inOrder, { warmUp: Math.max(...lookbacksAt(costs)) + 1 })
  if (universes.length === 0) return undefined
  const coverage = inOrder.map(({ pair }, which) => ({ pair, windows: windowsWith(universes, which) }))
  return {
    pairs: coverage.filter(({ windows }) => windows > 0).map(({ pair }) => pair),
    windows: universes.flatMap(({ windows }) => windows),
    coverage,
    inOrder,
    universes,
    money: { invested: WINDOW_INVESTED, costs, feeBps },
  }
}

function levelOn({ inOrder, universes, money }: EvidenceGround, riskLevel: RiskLevel): LevelEvidence {
  const decided = inOrder.map((market) => decidedBy(riskLevel, market, money.costs))
  return outcomesOf(universes, {
    targetPercent: TARGETS[riskLevel].from,
    endOf: (members, window) => botEnd({ window, markets: pick(decided, members), ...money }),
    runOf: (members, period, feeBps) => backtest({ ...money, ...period, feeBps, markets: pick(decided, members), riskLevel, curvePoints: 2 }),
    feeBps: money.feeBps,
  })
}

type Rules = {
  targetPercent: number
  feeBps: number
  endOf: (members: readonly number[], window: Window) => Units
  runOf: (members: readonly number[], period: Window, feeBps: number) => BacktestResult
}

/** The deepest fall is that of one bot for each universe, through all its windows. The returns of each end where the next begins. */
function outcomesOf(universes: readonly Universe[], { targetPercent, feeBps, endOf, runOf }: Rules): LevelEvidence {
  const outcomes = universes.flatMap(({ members, windows }) => windows.map((window): Outcome => ({ window, end: endOf(members, window) })))
  const falls = universes.map(({ members, windows }) => runOf(members, { fromMs: beginOf(windows), toMs: endOfLast(windows) }, feeBps).maxDrawdown)
  const returns = universes.flatMap(({ members, windows }, which) => {
    const toMs = Math.min(endOfLast(windows), beginOf(universes[which + 1]?.windows))
    return dailyReturns(runOf(members, { fromMs: beginOf(windows), toMs }, 0).daily)
  })
  return { outcomes, distribution: distributionOf(outcomes, { invested: WINDOW_INVESTED, targetPercent }), deepestFall: Math.max(...falls), returns }
}

const beginOf = (windows: readonly Window[] | undefined): number => windows?.[0]?.fromMs ?? Number.POSITIVE_INFINITY
const endOfLast = (windows: readonly Window[]): number => windows.at(-1)?.toMs ?? Number.NEGATIVE_INFINITY

function windowsWith(universes: readonly Universe[], which: number): number {
  return universes.reduce((sum, { members, windows }) => sum + (members.includes(which) ? windows.length : 0), 0)
}

function pick<Market>(markets: readonly Market[], members: readonly number[]): Market[] {
  return markets.filter((_market, which) => members.includes(which))
}

function decidedBy(riskLevel: RiskLevel, { pair, series }: EvidenceMarket, costs: TradingCosts): DecidedMarket {
  return { pair, series, changes: exposureChanges({ riskLevel, costs, series, fromCount: 0, toCount: series.length }) }
}
