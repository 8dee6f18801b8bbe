import { required } from '#core/assert.ts'
import { meanCashRate } from '#core/evidence/cash.ts'
import { overfittingOf } from './overfitting.ts'
import { dailyReturns, momentsOf } from '#core/luck/returns.ts'
import { yearlySharpe } from '#core/luck/sharpe.ts'
import { DAY_MS } from '#core/market/candle.ts'
import type { CandleSeries } from '#core/market/candle-series.ts'
import type { Pair } from '#core/market/pair.ts'
import { decimalToUnits } from '#core/money/decimal.ts'
import { backtest, type BacktestMarket } from '#core/strategy/backtest.ts'
import { BALANCED_DRIFT_POINTS, BALANCED_PERCENT } from '#core/strategy/balanced-share.ts'
import { CANDLES_A_DAY, PRESETS, type Preset } from '#core/strategy/preset.ts'
import type { RiskLevel } from '#core/strategy/risk-level.ts'
import { changesOf } from '#core/strategy/exposure-changes.ts'
import type { StrategyKey } from '#core/strategy/strategy-key.ts'
import { startTrend } from '#core/strategy/trend.ts'
import { VENUE_COSTS } from '#core/trading/costs.ts'
import { hashOf } from '#server/evidence/show-evidence.ts'
import { readTreasuryBills } from '#server/evidence/treasury-bills.ts'
import type { Setting, TriedOn } from '#server/evidence/trial-register.ts'
import { REAL_PAIRS, realCandles } from './real-candles.ts'

/**
 * The period of docs/strategies.md, on which the presets were chosen. The year before warms up the
 * strategies.
 */
export const FROM_MS = Date.UTC(2021, 8, 20)
export const TO_MS = Date.UTC(2025, 8, 20)
/**
 * Whole days only, as in the register's Sharpe ratios: the candles end within the last day of the
 * period.
 */
const WHOLE_DAYS = (TO_MS - FROM_MS) / DAY_MS - 1

/**
 * Ladders between 5 and 160 days, the range of the trial. The trial used seven of these eight;
 * which ones is not recorded.
 */
const LADDERS = [
  [5, 10, 20, 40],
  [10, 20, 40, 80],
  [20, 40, 80, 160],
  [5, 20, 80],
  [10, 30, 90],
  [10, 40, 160],
  [5, 10, 20, 40, 80],
  [5, 10, 20, 40, 80, 160],
]
const HALF_LIVES = [3, 10, 20, 60]
const STOPS = ['middle', 'low'] as const
/** The smallest and the largest band tried, in points; the preset's own lies between. */
const BANDS = [2, 15]

export type Candles = readonly { pair: Pair; series: CandleSeries }[]

export function candlesOfAll(): Candles {
  return REAL_PAIRS.map((pair) => ({ pair, series: realCandles(pair) }))
}

/** The 192 settings of a risk level: 8 ladders × 4 half-lives × 3 bands × 2 stops. */
export function familyOf(riskLevel: RiskLevel): Setting[] {
  const own = settingOf(PRESETS[riskLevel])
  const bands = [...BANDS, own.bandPoints].toSorted((a, b) => a - b)
  return LADDERS.flatMap((lookbackDays) =>
    HALF_LIVES.flatMap((halfLifeDays) =>
      bands.flatMap((bandPoints) =>
        STOPS.map((stop) => ({ ...own, lookbackDays, halfLifeDays, bandPoints, stop })),
      ),
    ),
  )
}

export function settingOf({
  lookbacks,
  volatilityHalfLife,
  targetVolatility,
  bandBps,
  stop,
}: Preset): Setting {
  const lookbackDays = lookbacks.map((candles) => candles / CANDLES_A_DAY)
  return {
    lookbackDays,
    halfLifeDays: volatilityHalfLife / CANDLES_A_DAY,
    targetVolatility,
    bandPoints: bandBps / 100,
    stop,
  }
}

export function balancedSetting(riskLevel: RiskLevel): {
  coinsPercent: number
  driftPoints: number
} {
  return { coinsPercent: BALANCED_PERCENT[riskLevel], driftPoints: BALANCED_DRIFT_POINTS }
}

export function triedOn(candles: Candles): TriedOn {
  const { feeBps, halfSpreadBps, slippageBps } = VENUE_COSTS.binance
  return {
    pairs: candles.map(({ pair }) => pair),
    from: new Date(FROM_MS).toISOString().slice(0, 10),
    to: new Date(TO_MS).toISOString().slice(0, 10),
    candles: hashOf(candles),
    costsBps: { fee: feeBps, halfSpread: halfSpreadBps, slippage: slippageBps },
  }
}

/**
 * Daily returns of a bot with this setting in all pairs, after the costs of trading, before the
 * platform fee.
 */
export function returnsOf(setting: Setting, candles: Candles): number[] {
  const preset: Preset = {
    targetVolatility: setting.targetVolatility,
    lookbacks: setting.lookbackDays.map((days) => days * CANDLES_A_DAY),
    volatilityHalfLife: setting.halfLifeDays * CANDLES_A_DAY,
    bandBps: setting.bandPoints * 100,
    stop: setting.stop,
  }
  return returnsOfMarkets(
    candles.map(({ pair, series }) => ({
      pair,
      series,
      changes: changesOf(startTrend(preset), { series, fromCount: 0, toCount: series.length }),
    })),
  )
}

/** The mean yearly rate of Treasury bills in the period, a fraction. */
export function billsRate(): number {
  return required(
    meanCashRate(readTreasuryBills().rates, { fromMs: FROM_MS, toMs: TO_MS }),
    'rates of the whole period',
  )
}

/** `strategy`: decides for markets without decisions. */
export function returnsOfMarkets(
  markets: readonly BacktestMarket[],
  strategy: StrategyKey = 'trend-moderate',
): number[] {
  const period = {
    invested: decimalToUnits('10000'),
    fromMs: FROM_MS,
    toMs: TO_MS,
    costs: VENUE_COSTS.binance,
    feeBps: 0,
    curvePoints: 2,
  }
  return dailyReturns(backtest({ ...period, strategy, markets }).daily)
}

/** The Sharpe ratio as in the register: four decimals, from whole days, with cash at 0. */
export function sharpeOf(returns: readonly number[]): number {
  return rounded(yearlySharpe(momentsOf(returns.slice(0, WHOLE_DAYS))))
}

/** The choice of the best setting by these returns, as in the register. */
export function choiceAmong(returns: readonly (readonly number[])[]): {
  settings: number
  overfitting: number
  chosen: number
  afterwards: number
} {
  const { probability, chosen, afterwards } = overfittingOf(
    returns.map((days) => days.slice(0, WHOLE_DAYS)),
  )
  return {
    settings: returns.length,
    overfitting: rounded(probability),
    chosen: rounded(chosen),
    afterwards: rounded(afterwards),
  }
}

function rounded(figure: number): number {
  return Math.round(figure * 10_000) / 10_000
}
