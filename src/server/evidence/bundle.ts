import { inEnglish } from '#core/sentences.ts'
import type { Bundle, BundleCandles } from '#contract/bundle.ts'
import { cashEnd } from '#core/evidence/cash.ts'
import {
  oneStrategyEvidence,
  WINDOW_INVESTED,
  type EvidenceMarket,
  type OneStrategyEvidence,
} from '#core/evidence/evidence.ts'
import { TARGETS } from '#core/evidence/target.ts'
import { type Window, WINDOW_DAYS } from '#core/evidence/universe.ts'
import type { Units } from '#core/money/amount.ts'
import { unitsToDecimal } from '#core/money/decimal.ts'
import {
  backtest,
  buyAndHold,
  type BacktestInput,
  type BacktestResult,
} from '#core/strategy/backtest.ts'
import { presetAt, type Preset } from '#core/strategy/preset.ts'
import { BALANCED_DRIFT_BPS, BALANCED_PERCENT } from '#core/strategy/balanced-share.ts'
import { choiceOf, type StrategyKey } from '#core/strategy/strategy-key.ts'
import type { TradingCosts } from '#core/trading/costs.ts'
import { replayFigures } from '#server/bots/show-backtest.ts'
import type { BundleOrigin, BundleTask } from '#server/ports/compute.ts'
import { engine } from './engine-version.ts'
import { hashOf, showDistribution } from './show-evidence.ts'
import { BILLS_SOURCE, readTreasuryBills, type TreasuryBills } from './treasury-bills.ts'
import type { Feed } from '#server/ports/feed.ts'
import { EXCHANGES } from '#server/exchange/open-exchange.ts'

const NOTE =
  'Hypothetical: computed by replaying fixed rules over past prices. No money was traded. ' +
  'Past performance does not tell the future. You can lose money.'
const CHECK =
  'In a copy of this version of the product, npm run verify FILE computes all of it again. ' +
  'docs/strategies.md, section Exactly, describes the rules.'

export type BundleMarket = EvidenceMarket & { origin: BundleOrigin }

/** `yieldBps`: yearly interest on idle cash, default 0. */
export type BundleInput = {
  strategy: StrategyKey
  markets: readonly BundleMarket[]
  costs: TradingCosts
  feeBps: number
  yieldBps?: number | undefined
  task: BundleTask
}

/**
 * A result with all its inputs. Undefined if the candles are too few for a window, or a pair has
 * none.
 */
export function makeBundle(input: BundleInput): Bundle | undefined {
  const { strategy, markets, costs, feeBps, yieldBps = 0, task } = input
  if (markets.some(({ series }) => series.length === 0)) return undefined
  const result = task.kind === 'windows' ? windowsOf(input) : backtestOf(input, task)
  if (result === undefined) return undefined
  const { strategy: kind, riskLevel } = choiceOf(strategy)
  return {
    format: 'bundle 1',
    hypothetical: true,
    note: NOTE,
    check: CHECK,
    candles: markets.map(candlesOf),
    configuration: {
      strategy,
      riskLevel,
      preset: kind === 'trend' ? showPreset(presetAt(riskLevel, costs)) : null,
      balance:
        kind === 'balanced'
          ? { percent: BALANCED_PERCENT[riskLevel], driftBps: BALANCED_DRIFT_BPS }
          : null,
      pairs: markets.map(({ pair }) => pair),
      invested: exact(task.kind === 'windows' ? WINDOW_INVESTED : task.invested),
      costsBps: { fee: costs.feeBps, halfSpread: costs.halfSpreadBps, slippage: costs.slippageBps },
      platformFeeBps: feeBps,
      cashYieldBps: yieldBps,
    },
    result,
    engine: engine(),
  }
}

function showPreset({ lookbacks, ...others }: Preset) {
  return { ...others, lookbacks: [...lookbacks] }
}

function candlesOf({ pair, series, origin }: BundleMarket): BundleCandles {
  const { openTimesMs, length } = series
  return {
    pair,
    count: length,
    first: hour(openTimesMs[0] ?? 0),
    last: hour(openTimesMs[length - 1] ?? 0),
    sha256: hashOf([{ pair, series }]),
    ...origin,
  }
}

function windowsOf({
  strategy,
  markets,
  costs,
  feeBps,
  yieldBps,
}: BundleInput): Bundle['result'] | undefined {
  const { strategy: kind, riskLevel } = choiceOf(strategy)
  const evidence = oneStrategyEvidence(
    { markets, costs, feeBps, holdFeeBps: feeBps, yieldBps, cashRates: readTreasuryBills().rates },
    strategy,
  )
  return evidence && showWindows(evidence, kind === 'trend' ? TARGETS[riskLevel].from : undefined)
}

function showWindows(
  { evidence, windows }: OneStrategyEvidence,
  targetPercent: number | undefined,
): Bundle['result'] {
  const bills = readTreasuryBills()
  return {
    kind: 'windows',
    cashRates: { source: BILLS_SOURCE, sha256: bills.sha256 },
    from: day(windows[0]?.fromMs ?? 0),
    to: day(windows.at(-1)?.toMs ?? 0),
    figures: {
      windows: windows.length,
      windowDays: WINDOW_DAYS,
      ...showDistribution(evidence),
      targetPercent: targetPercent ?? null,
      reached: targetPercent === undefined ? 0 : evidence.distribution.reached,
    },
    windows: evidence.outcomes.map(({ window, end }, which) => ({
      from: day(window.fromMs),
      start: exact(WINDOW_INVESTED),
      end: exact(end),
      monthlyEnd: exact(evidence.monthly.outcomes[which]?.end ?? 0n),
      cash: cashText(window, bills),
    })),
  }
}

function cashText(window: Window, { rates }: TreasuryBills): string | null {
  const end = cashEnd({ window, invested: WINDOW_INVESTED, rates })
  return end === undefined ? null : exact(end)
}

function backtestOf(
  { strategy, markets, costs, feeBps, yieldBps = 0 }: BundleInput,
  { invested, fromMs, toMs }: Extract<BundleTask, { kind: 'backtest' }>,
): Bundle['result'] {
  const input: BacktestInput = {
    strategy,
    markets,
    invested,
    fromMs,
    toMs,
    costs,
    feeBps,
    yieldBps,
    curvePoints: 2,
  }
  const [result, held] = [backtest(input), buyAndHold(input)]
  return {
    kind: 'backtest',
    from: hour(fromMs),
    to: hour(toMs),
    figures: {
      equity: exact(result.equity),
      ...replayFigures({ invested, result, held, tradeCount: result.trades.length }),
    },
    trades: result.trades.map(showTrade),
  }
}

function showTrade({
  timeMs,
  pair,
  side,
  exposureBps,
  quantity,
  price,
  notional,
  fee,
  profit,
  reason,
}: BacktestResult['trades'][number]) {
  return {
    at: hour(timeMs),
    pair,
    side,
    exposurePercent: exposureBps / 100,
    quantity: exact(quantity),
    price: exact(price),
    notional: exact(notional),
    venueFee: exact(fee),
    profit: exact(profit),
    reason: inEnglish(reason),
  }
}

const exact = (units: Units): string => unitsToDecimal(units, 8)
const hour = (timeMs: number): string => new Date(timeMs).toISOString()
const day = (timeMs: number): string => hour(timeMs).slice(0, 10)

export function originOfFeed({ kind, venue, seed }: Feed): BundleOrigin {
  if (seed !== undefined) return simulatedOrigin(seed)
  const exchange = EXCHANGES[venue]
  return {
    exchange,
    source:
      kind === 'live'
        ? `${exchange} spot, 1 h, from its public API`
        : 'recorded candles of this installation',
    licence: '',
    seed: null,
  }
}

export function simulatedOrigin(seed: number): BundleOrigin {
  return { exchange: 'none', source: 'simulated market', licence: '', seed }
}
