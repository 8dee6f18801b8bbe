import { dailyReturns } from '#core/luck/returns.ts'
import type { CandleSeries } from '#core/market/candle-series.ts'
import { PAIRS, type Pair } from '#core/market/pair.ts'
import { decimalToUnits } from '#core/money/decimal.ts'
import type { Units } from '#core/money/amount.ts'
import { backtest } from '#core/strategy/backtest.ts'
import { lookbacksAt } from '#core/strategy/preset.ts'
import { byRiskLevel, type RiskLevel } from '#core/strategy/risk-level.ts'
import { decideMarket, type DecidedMarket } from '#core/strategy/sleeve.ts'
import { choiceOf, STRATEGY_KEYS, type StrategyKey } from '#core/strategy/strategy-key.ts'
import type { TradingCosts } from '#core/trading/costs.ts'
import { cashEnd, compareWithCash, type CashComparison, type CashRates } from './cash.ts'
import { distributionOf, type Distribution, type WindowOutcome } from './distribution.ts'
import {
  guardedOutcomes,
  guardEvidenceOf,
  hourlyCloses,
  largest,
  type GuardEvidence,
} from './guard-evidence.ts'
import { TARGETS } from './target.ts'
import { universesOf, type Universe, type Window } from './universe.ts'
import { windowEnds } from './window-end.ts'
import { fallWithin } from './window-fall.ts'
import type { PathCloses } from './window-path.ts'

/**
 * USD. Any amount gives the same returns, because costs are proportional; this one is large enough
 * that rounding does not matter.
 */
export const WINDOW_INVESTED: Units = decimalToUnits('10000')

export type EvidenceMarket = { pair: Pair; series: CandleSeries }

/**
 * `feeBps`: platform fee in basis points of profit; `holdFeeBps`: that of a bot that holds.
 * `yieldBps`: yearly rate of idle cash, default 0. `cashRates`: market rates of cash at the time.
 */
export type EvidenceInput = {
  markets: readonly EvidenceMarket[]
  costs: TradingCosts
  feeBps: number
  holdFeeBps: number
  yieldBps?: number | undefined
  cashRates?: CashRates | undefined
}

type Outcomes = { outcomes: readonly WindowOutcome[]; distribution: Distribution }

/** `onceHigher`: windows in which investing all at once ended higher. */
export type MonthlyOutcomes = Outcomes & { onceHigher: number }

export type StrategyEvidence = Outcomes & {
  /** The same windows, invested in twelve monthly parts. */
  monthly: MonthlyOutcomes
  /**
   * The largest fall of any of these bots, or of one that runs through the whole period: a
   * fraction, measured at every close and at the sale.
   */
  deepestFall: number
  /** Undefined without rates of cash. */
  cash: CashComparison | undefined
  /** Daily over the whole period, after trading costs, before the platform fee. */
  returns: readonly number[]
}

export type Evidence = {
  pairs: readonly Pair[]
  windows: readonly Window[]
  /** By pair with candles; 0 windows if the pair has too few candles. */
  coverage: readonly { pair: Pair; windows: number }[]
  levels: Record<RiskLevel, StrategyEvidence>
  /** Bots of kinds hold and balanced, in the product's order. */
  others: readonly { strategy: StrategyKey; evidence: StrategyEvidence }[]
  /** Buy and hold without a platform fee. */
  held: StrategyEvidence
}

export type OneStrategyEvidence = Pick<Evidence, 'pairs' | 'windows'> & {
  evidence: StrategyEvidence
}

/**
 * Hypothetical results of each strategy in every twelve-month window of the candles. A window
 * starts at each midnight (UTC), with the money split over the pairs tradable on its first day.
 * Undefined if the candles do not span a window.
 */
export function evidenceOf(input: EvidenceInput): Evidence | undefined {
  const ground = groundOf(input)
  if (ground === undefined) return undefined
  const held = measure(ground, { strategy: 'hold', feeBps: 0 })
  const others = STRATEGY_KEYS.filter((strategy) => choiceOf(strategy).strategy !== 'trend')
  return {
    pairs: ground.pairs,
    windows: ground.windows,
    coverage: ground.coverage,
    levels: byRiskLevel((riskLevel) => measureBot(ground, `trend-${riskLevel}`, input)),
    others: others.map((strategy) => ({
      strategy,
      evidence:
        strategy === 'hold' && input.holdFeeBps === 0 ? held : measureBot(ground, strategy, input),
    })),
    held,
  }
}

export type EvidenceOfGuards = Pick<Evidence, 'pairs' | 'windows'> & {
  strategies: readonly { strategy: StrategyKey; rows: readonly GuardEvidence[] }[]
}

/**
 * Evidence of the standard guards in the same windows. A function of its own, because following
 * each bot hour by hour takes several times as long.
 */
export function evidenceOfGuards(
  { feeBps, holdFeeBps, ...input }: EvidenceInput,
  isWanted: (strategy: StrategyKey) => boolean = () => true,
): EvidenceOfGuards | undefined {
  const ground = groundOf({ ...input, feeBps, holdFeeBps })
  if (ground === undefined) return undefined
  const { inOrder, universes, costs, windows, closes } = ground
  const strategies = STRATEGY_KEYS.filter(isWanted).map((strategy) => {
    const decided = inOrder.map((market) => decideMarket({ ...market, strategy, costs }))
    const fee = strategy === 'hold' ? holdFeeBps : feeBps
    const money = { invested: WINDOW_INVESTED, costs, feeBps: fee }
    const outcomes = universes.flatMap(({ members, windows: own }) => {
      const [markets, memberCloses] = [pick(decided, members), pick(closes, members)]
      return own.map((window) =>
        guardedOutcomes({ ...money, markets, closes: memberCloses, window }),
      )
    })
    return { strategy, rows: guardEvidenceOf(outcomes) }
  })
  return { pairs: ground.pairs, windows, strategies }
}

/** Evidence of one strategy alone, in a fraction of the time of all levels. */
export function oneStrategyEvidence(
  input: EvidenceInput,
  strategy: StrategyKey,
): OneStrategyEvidence | undefined {
  const ground = groundOf(input)
  if (ground === undefined) return undefined
  const { pairs, windows } = ground
  return { pairs, windows, evidence: measureBot(ground, strategy, input) }
}

type EvidenceGround = Pick<Evidence, 'pairs' | 'windows' | 'coverage'> & {
  inOrder: readonly EvidenceMarket[]
  universes: readonly Universe[]
  costs: TradingCosts
  yieldBps: number
  /** Hourly, by market. */
  closes: readonly PathCloses[]
  /** Result of holding cash instead, for each window. */
  cashEnds: readonly (Units | undefined)[]
}

function groundOf({
  markets,
  costs,
  yieldBps = 0,
  cashRates,
}: EvidenceInput): EvidenceGround | undefined {
  const inOrder = markets
    .filter(({ series }) => series.length > 0)
    .toSorted((a, b) => PAIRS.indexOf(a.pair) - PAIRS.indexOf(b.pair))
  const universes = universesOf(inOrder, { warmUp: Math.max(...lookbacksAt(costs)) + 1 })
  if (universes.length === 0) return undefined
  const windows = universes.flatMap(({ windows: ofUniverse }) => ofUniverse)
  const coverage = inOrder.map(({ pair }, which) => ({
    pair,
    windows: windowsWith(universes, which),
  }))
  return {
    pairs: coverage.filter(({ windows }) => windows > 0).map(({ pair }) => pair),
    windows,
    coverage,
    inOrder,
    universes,
    costs,
    yieldBps,
    closes: hourlyCloses(
      inOrder.map(({ series }) => series),
      windows,
    ),
    cashEnds: windows.map(
      (window) => cashRates && cashEnd({ window, invested: WINDOW_INVESTED, rates: cashRates }),
    ),
  }
}

function measureBot(
  ground: EvidenceGround,
  strategy: StrategyKey,
  { feeBps, holdFeeBps }: EvidenceInput,
): StrategyEvidence {
  return measure(ground, { strategy, feeBps: strategy === 'hold' ? holdFeeBps : feeBps })
}

type Measured = { strategy: StrategyKey; feeBps: number }

function measure(ground: EvidenceGround, { strategy, feeBps }: Measured): StrategyEvidence {
  const { inOrder, universes, costs, yieldBps, cashEnds, closes } = ground
  const decided = inOrder.map((market) => decideMarket({ ...market, strategy, costs }))
  const money = { invested: WINDOW_INVESTED, costs, yieldBps, feeBps }
  const ends = universes.flatMap(({ members, windows }) => {
    const own = { ...money, markets: pick(decided, members), closes: pick(closes, members) }
    return windows.map((window) => ({
      window,
      ...windowEnds({ ...own, window }),
      fall: fallWithin({ ...own, window }),
    }))
  })
  const summary = { invested: WINDOW_INVESTED, targetPercent: targetPercentOf(strategy) }
  const outcomesOf = (which: 'once' | 'monthly'): Outcomes => {
    const outcomes = ends.map((end): WindowOutcome => ({ window: end.window, end: end[which] }))
    return { outcomes, distribution: distributionOf(outcomes, summary) }
  }
  const [once, monthly] = [outcomesOf('once'), outcomesOf('monthly')]
  const losses = [...once.outcomes, ...monthly.outcomes].map(
    ({ end }) => 1 - Number(end) / Number(WINDOW_INVESTED),
  )
  const { falls, returns } = wholePeriods(ground, { strategy, feeBps, decided })
  return {
    ...once,
    monthly: { ...monthly, onceHigher: ends.filter((end) => end.once > end.monthly).length },
    deepestFall: largest([...falls, ...ends.map(({ fall }) => fall), ...losses]),
    cash: compareWithCash(once.outcomes, cashEnds),
    returns,
  }
}

/**
 * One bot per universe runs through all windows of the universe; its returns end where the next
 * bot's begin.
 */
function wholePeriods(
  { universes, costs, yieldBps }: EvidenceGround,
  { strategy, feeBps, decided }: Measured & { decided: readonly DecidedMarket[] },
): { falls: number[]; returns: number[] } {
  const runOf = ({ members, windows }: Universe, fee: number, untilMs: number) =>
    backtest({
      invested: WINDOW_INVESTED,
      costs,
      yieldBps,
      fromMs: beginOf(windows),
      toMs: Math.min(endOfLast(windows), untilMs),
      feeBps: fee,
      markets: pick(decided, members),
      strategy,
      curvePoints: 2,
    })
  return {
    falls: universes.map((one) => runOf(one, feeBps, Number.POSITIVE_INFINITY).maxDrawdown),
    returns: universes.flatMap((one, which) =>
      dailyReturns(runOf(one, 0, beginOf(universes[which + 1]?.windows)).daily),
    ),
  }
}

function targetPercentOf(key: StrategyKey): number {
  const { strategy, riskLevel } = choiceOf(key)
  return strategy === 'trend' ? TARGETS[riskLevel].from : 0
}

const beginOf = (windows: readonly Window[] | undefined): number =>
  windows?.[0]?.fromMs ?? Number.POSITIVE_INFINITY
const endOfLast = (windows: readonly Window[]): number =>
  windows.at(-1)?.toMs ?? Number.NEGATIVE_INFINITY

function windowsWith(universes: readonly Universe[], which: number): number {
  return universes.reduce(
    (sum, { members, windows }) => sum + (members.includes(which) ? windows.length : 0),
    0,
  )
}

function pick<Market>(markets: readonly Market[], members: readonly number[]): Market[] {
  return markets.filter((_market, which) => members.includes(which))
}
