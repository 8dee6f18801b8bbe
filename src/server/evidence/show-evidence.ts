import { createHash } from 'node:crypto'
import type {
  BotEvidenceFigures,
  EvidenceFigures,
  HoldoutResult as ShownHoldout,
  Luck,
  GuardFigures,
  GuardRow,
} from '#contract/evidence.ts'
import {
  WINDOW_INVESTED,
  type Evidence,
  type EvidenceInput,
  type MonthlyOutcomes,
  type OneStrategyEvidence,
  type StrategyEvidence,
  type EvidenceOfGuards,
} from '#core/evidence/evidence.ts'
import type { WindowOutcome } from '#core/evidence/distribution.ts'
import { meanCashRate } from '#core/evidence/cash.ts'
import { TARGETS } from '#core/evidence/target.ts'
import { WINDOW_DAYS } from '#core/evidence/universe.ts'
import { required } from '#core/assert.ts'
import type { Pair } from '#core/market/pair.ts'
import { CHOSEN_ON, HOLDOUT, rowAtCosts, type HoldoutResult } from '#core/luck/holdout.ts'
import { luckOf, type LuckFigures } from '#core/luck/luck.ts'
import { ONE, type Units } from '#core/money/amount.ts'
import { unitsToDecimal } from '#core/money/decimal.ts'
import {
  ALL_BPS,
  percentLost,
  percentOf,
  percentOfBps,
  percentOfFraction,
} from '#core/money/percent.ts'
import { multiplyDivideCeil, multiplyDivideFloor } from '#core/money/rounding.ts'
import { byRiskLevel, RISK_LEVELS, type RiskLevel } from '#core/strategy/risk-level.ts'
import { totalCostBps } from '#core/trading/costs.ts'
import { readRegister, trialsOf } from './trial-register.ts'
import { BLOCK_DAYS } from '#core/luck/bootstrap.ts'
import type { GuardEvidence } from '#core/evidence/guard-evidence.ts'
import { typedOf } from '#core/guards/guard-settings.ts'

const TIMELINE_STEP_DAYS = 7

/** Gains are floored and shares of losses rounded up, so that no rounding flatters. */
export function showEvidence(
  evidence: Evidence,
  { markets, costs, feeBps, holdFeeBps, yieldBps = 0, cashRates }: EvidenceInput,
  engineVersion: string,
): EvidenceFigures {
  const { levels, others, held, pairs, coverage, windows } = evidence
  const { rows } = readRegister()
  const span = { fromMs: windows[0]?.fromMs ?? 0, toMs: windows.at(-1)?.toMs ?? 0 }
  // Without historical rates, cash earns what it earns in this book.
  const known = cashRates && meanCashRate(cashRates, span)
  const cashRate = known ?? yieldBps / 10_000
  return {
    windows: windows.length,
    windowDays: WINDOW_DAYS,
    from: day(span.fromMs),
    to: day(span.toMs),
    pairs: [...pairs],
    coverage: coverage.map((covered) => ({ ...covered, ...daysOf(markets, covered.pair) })),
    invested: unitsToDecimal(WINDOW_INVESTED, 2),
    cash: known === undefined ? null : percentOfFraction(known),
    costs: showCosts({ costs, feeBps, holdFeeBps, yieldBps }),
    levels: RISK_LEVELS.map((riskLevel) =>
      showLevel(riskLevel, evidence, { trials: trialsOf(rows, riskLevel), cashRate, feeBps }),
    ),
    others: others.map(({ strategy, evidence: of }) => ({ strategy, ...showDistribution(of) })),
    buyAndHold: showDistribution(held),
    timeline: {
      stepDays: TIMELINE_STEP_DAYS,
      ...byRiskLevel((riskLevel) => weekly(levels[riskLevel])),
    },
    chosenOn: { pairs: [...CHOSEN_ON.pairs], until: CHOSEN_ON.until },
    holdout: HOLDOUT.map((result) => showHoldout(result, totalCostBps(costs))),
    dataHash: hashOf(markets.filter(({ pair }) => pairs.includes(pair))),
    engineVersion,
  }
}

function showCosts({
  costs,
  feeBps,
  holdFeeBps,
  yieldBps,
}: Pick<EvidenceInput, 'costs' | 'feeBps' | 'holdFeeBps'> & { yieldBps: number }) {
  return {
    tradingFee: percentOfBps(costs.feeBps),
    halfSpread: percentOfBps(costs.halfSpreadBps),
    slippage: percentOfBps(costs.slippageBps),
    aSide: percentOfBps(totalCostBps(costs)),
    platformFee: percentOfBps(feeBps),
    holdFee: percentOfBps(holdFeeBps),
    cashYield: percentOfBps(yieldBps),
  }
}

function showLevel(
  riskLevel: RiskLevel,
  { levels, held, windows }: Evidence,
  luck: { trials: ReturnType<typeof trialsOf>; cashRate: number; feeBps: number },
) {
  const level = levels[riskLevel]
  const { reached } = level.distribution
  return {
    riskLevel,
    target: TARGETS[riskLevel],
    ...showDistribution(level),
    reached,
    reachedPercent: shareFloor({ part: reached, whole: windows.length }),
    luck: showLuck(luckOf({ returns: level.returns, held: held.returns, ...luck }), luck.cashRate),
  }
}

function showHoldout(result: HoldoutResult, hereBps: number): ShownHoldout {
  const { kind, from, to, pairs, held, reached, source } = result
  const { costsBps, levels } = rowAtCosts(result, hereBps)
  return {
    kind,
    from,
    to,
    pairs,
    costs: percentOfBps(costsBps),
    levels,
    held,
    reached: reached && { costs: percentOfBps(reached.costsBps), levels: reached.levels },
    source,
  }
}

export function showBotEvidence({
  evidence,
  pairs,
  windows,
}: OneStrategyEvidence): BotEvidenceFigures {
  const { median, worst, best, losingPercent, deepestFall, beatsCash, monthly } =
    showDistribution(evidence)
  const period = { from: day(windows[0]?.fromMs ?? 0), to: day(windows.at(-1)?.toMs ?? 0) }
  return {
    hypothetical: true,
    windows: windows.length,
    ...period,
    pairs: [...pairs],
    median,
    worst,
    best,
    losingPercent,
    deepestFall,
    beatsCash,
    monthly,
  }
}

export function showDistribution({
  outcomes,
  distribution,
  deepestFall,
  cash,
  monthly,
}: StrategyEvidence) {
  const { median, worst, best, lower, upper, losing } = distribution
  return {
    median: showOutcome(median),
    worst: showOutcome(worst),
    best: showOutcome(best),
    lower: showOutcome(lower),
    upper: showOutcome(upper),
    losing,
    losingPercent: shareCeil({ part: losing, whole: outcomes.length }),
    deepestFall: percentLost(deepestFall),
    beatsCash:
      cash === undefined
        ? null
        : {
            percent: shareFloor({ part: cash.won, whole: cash.windows }),
            windows: cash.windows,
          },
    monthly: showMonthly(monthly),
  }
}

function showMonthly({
  outcomes,
  distribution: { median, worst, losing },
  onceHigher,
}: MonthlyOutcomes) {
  const whole = outcomes.length
  return {
    median: showOutcome(median),
    worst: showOutcome(worst),
    losingPercent: shareCeil({ part: losing, whole }),
    onceHigher,
    onceHigherPercent: shareFloor({ part: onceHigher, whole }),
  }
}

function showOutcome({ window, end }: WindowOutcome) {
  return { percent: gain(end), from: day(window.fromMs), to: day(window.toMs) }
}

/** Windows begin a day apart. */
function weekly({ outcomes }: StrategyEvidence): string[] {
  return outcomes
    .filter((_outcome, index) => index % TIMELINE_STEP_DAYS === 0)
    .map(({ end }) => gain(end))
}

/** Gain in percent of the amount at the window's start. */
function gain(end: Units): string {
  return unitsToDecimal(
    multiplyDivideFloor({ a: end - WINDOW_INVESTED, b: 100n * ONE, divisor: WINDOW_INVESTED }),
    2,
  )
}

type Share = { part: number; whole: number }

const shareFloor = ({ part, whole }: Share): string =>
  percentOf({ part: BigInt(part), whole: BigInt(whole) })

const shareCeil = ({ part, whole }: Share): string =>
  percentOfBps(multiplyDivideCeil({ a: BigInt(part), b: ALL_BPS, divisor: BigInt(whole) }))

/** The days of a pair's first and last candle. */
function daysOf(markets: EvidenceInput['markets'], pair: Pair): { from: string; to: string } {
  const { openTimesMs, length } = required(
    markets.find((market) => market.pair === pair),
    pair,
  ).series
  return { from: day(openTimesMs[0] ?? 0), to: day(openTimesMs[length - 1] ?? 0) }
}

function day(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10)
}

/** Depends only on the candles, not on the files that contain them. */
export function hashOf(markets: EvidenceInput['markets']): string {
  const hash = createHash('sha256')
  for (const { pair, series } of markets) {
    const { openTimesMs, open, high, low, close } = series
    for (let index = 0; index < series.length; index += 1) {
      hash.update(
        `${pair} ${openTimesMs[index]} ${open[index]} ${high[index]} ${low[index]} ` +
          `${close[index]}\n`,
      )
    }
  }
  return hash.digest('hex')
}

/**
 * Rounded against the strategy: gains and probabilities of skill down, the probability of
 * overfitting up.
 */
function showLuck(luck: LuckFigures, cashRate: number): Luck {
  const { band } = luck
  return {
    isDistinguishable: luck.isDistinguishable,
    sharpe: floored(luck.sharpe, 2),
    heldSharpe: floored(luck.heldSharpe, 2),
    cash: percentOfFraction(cashRate),
    deflated: flooredPercent(luck.deflated),
    aboveHolding: flooredPercent(luck.aboveHolding),
    overfitting:
      luck.overfitting === undefined
        ? null
        : percentOfFraction(Math.ceil(luck.overfitting * 10_000 - 1e-6) / 10_000),
    trials: luck.trials,
    years: floored(luck.years, 1),
    minimumYears: Number.isFinite(luck.minimumYears)
      ? (Math.ceil(luck.minimumYears * 10) / 10).toFixed(1)
      : null,
    band: { low: flooredPercent(band.low), high: flooredPercent(band.high), blockDays: BLOCK_DAYS },
  }
}

function flooredPercent(fraction: number): string {
  return percentOfFraction(Math.floor(fraction * 10_000) / 10_000)
}

function floored(figure: number, decimals: 1 | 2): string {
  const scale = 10 ** decimals
  return (Math.floor(figure * scale) / scale).toFixed(decimals)
}

/** Rounded against the guard: differences are floored, and shares that ended worse rounded up. */
export function showGuardEvidence({ windows, strategies }: EvidenceOfGuards): GuardFigures {
  return {
    hypothetical: true,
    windows: windows.length,
    from: day(windows[0]?.fromMs ?? 0),
    to: day(windows.at(-1)?.toMs ?? 0),
    strategies: strategies.map(({ strategy, rows }) => ({
      strategy,
      rows: rows.map((row) => showRow(row, windows.length)),
    })),
  }
}

function showRow(
  { guards, medianDifference, better, worse, reached, fall, fallWithout }: GuardEvidence,
  whole: number,
): GuardRow {
  return {
    guards: typedOf(guards),
    medianPoints: gain(WINDOW_INVESTED + medianDifference),
    betterPercent: shareFloor({ part: better, whole }),
    worsePercent: shareCeil({ part: worse, whole }),
    reachedPercent: shareFloor({ part: reached, whole }),
    fall: percentLost(fall),
    fallWithout: percentLost(fallWithout),
  }
}
