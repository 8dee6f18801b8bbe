import { totalCostBps, type TradingCosts } from '#core/trading/costs.ts'
import type { RiskLevel } from './risk-level.ts'

/** Lengths are in hourly candles. */
export type Preset = {
  /** Annual volatility to which the exposure is scaled down, a fraction: 0.35 is 35 %. */
  targetVolatility: number
  /** Lengths of the Donchian channels in candles, shortest first. */
  lookbacks: readonly number[]
  volatilityHalfLife: number
  /**
   * Level of the channel below which an up trend ends; it only rises. 'low' was tried and rejected
   * (docs/strategies.md).
   */
  stop: 'middle' | 'low'
  /**
   * Smallest change of exposure that is traded, in basis points; a change to 0 always is. About
   * half the weight of one trend at a volatility of 60 % a year, so that a turned trend is traded
   * and a small change of volatility is not.
   */
  bandBps: number
}

export const CANDLES_A_DAY = 24

/**
 * 10, 20, 40 and 80 days: a doubling ladder, so that the result does not depend on one length. The
 * simplest of seven ladders tried, not the best: their Sharpe ratios were within 0.14 of each other
 * (docs/strategies.md).
 */
const LOOKBACKS: readonly number[] = [
  10 * CANDLES_A_DAY,
  20 * CANDLES_A_DAY,
  40 * CANDLES_A_DAY,
  80 * CANDLES_A_DAY,
]

/** Twice the lengths, for markets with high costs: the strategy then trades about half as often. */
const SLOW_LOOKBACKS: readonly number[] = LOOKBACKS.map((candles) => 2 * candles)

/**
 * Cost of a trade, in basis points, from which the slower trends are used. On recorded candles they
 * earned more at 147 bps: 1.2 points a year since 2021 and 3.3 since 2022. At 67 bps the result
 * depended on the years; below 67 bps they earned less (docs/strategies.md).
 */
const SLOW_FROM_BPS = 100

const VOLATILITY_HALF_LIFE = 20 * CANDLES_A_DAY

const common = {
  lookbacks: LOOKBACKS,
  volatilityHalfLife: VOLATILITY_HALF_LIFE,
  stop: 'middle',
} as const

export const PRESETS: Record<RiskLevel, Preset> = {
  conservative: { ...common, targetVolatility: 0.15, bandBps: 300 },
  moderate: { ...common, targetVolatility: 0.35, bandBps: 700 },
  aggressive: { ...common, targetVolatility: 0.8, bandBps: 1_200 },
}

export function presetAt(riskLevel: RiskLevel, costs: TradingCosts): Preset {
  return { ...PRESETS[riskLevel], lookbacks: lookbacksAt(costs) }
}

export function lookbacksAt(costs: TradingCosts): readonly number[] {
  return totalCostBps(costs) < SLOW_FROM_BPS ? LOOKBACKS : SLOW_LOOKBACKS
}
