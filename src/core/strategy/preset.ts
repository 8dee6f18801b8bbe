import type { RiskLevel } from './risk-level.ts'

/** The numbers that make a risk level a strategy. Lengths are in candles; on the product's hourly candles 24 make a day. */
export type Preset = {
  /** The yearly volatility that the exposure aims below, as a fraction: 0.35 is 35 %. */
  targetVolatility: number
  /** Lookbacks of the Donchian channels, shortest first: each is one trend that is up or not. */
  lookbacks: readonly number[]
  /** After so many candles an hourly return weighs half in the measured volatility. */
  volatilityHalfLife: number
  /**
   * A smaller change of exposure does not trade, except to nothing. About half of what one trend weighs at a volatility of 60 % a year,
   * so that a turned trend trades and a breath of volatility does not.
   */
  bandBps: number
}

export const CANDLES_A_DAY = 24

/**
 * 10, 20, 40 and 80 days: a doubling ladder, so that no single length is a bet. The plainest of seven ladders tried, not the best:
 * their Sharpe ratios lay within 0.14 of each other (docs/strategies.md).
 */
export const LOOKBACKS: readonly number[] = [10 * CANDLES_A_DAY, 20 * CANDLES_A_DAY, 40 * CANDLES_A_DAY, 80 * CANDLES_A_DAY]

const VOLATILITY_HALF_LIFE = 20 * CANDLES_A_DAY

const common = { lookbacks: LOOKBACKS, volatilityHalfLife: VOLATILITY_HALF_LIFE }

export const PRESETS: Record<RiskLevel, Preset> = {
  conservative: { ...common, targetVolatility: 0.15, bandBps: 300 },
  moderate: { ...common, targetVolatility: 0.35, bandBps: 700 },
  aggressive: { ...common, targetVolatility: 0.8, bandBps: 1_200 },
}
