import { BPS_PER_PERCENT } from '#core/money/percent.ts'
import type { RiskLevel } from './risk-level.ts'

/** Percentage in coins. */
export const BALANCED_PERCENT: Record<RiskLevel, number> = {
  conservative: 25,
  moderate: 50,
  aggressive: 75,
}

export function balancedBps(level: RiskLevel): number {
  return BALANCED_PERCENT[level] * BPS_PER_PERCENT
}

/** The usual threshold of advisers, chosen before any result was computed (decision 054). */
export const BALANCED_DRIFT_BPS = 500

export const BALANCED_DRIFT_POINTS = BALANCED_DRIFT_BPS / BPS_PER_PERCENT
