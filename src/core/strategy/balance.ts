import type { RiskLevel } from './risk-level.ts'

/** Part of its money that a balanced bot keeps in coins, in basis points. */
export const BALANCED_BPS: Record<RiskLevel, number> = { conservative: 2_500, moderate: 5_000, aggressive: 7_500 }

/**
 * How far the coins of a balanced bot may drift from their part before it trades back, in basis points of its money. Five points are the
 * usual threshold of advisers, chosen before any result was computed (decision 054).
 */
export const BALANCED_DRIFT_BPS = 500

const BPS_PER_PERCENT = 100

/** The same part in percent, as people read it. */
export function balancedPercent(level: RiskLevel): number {
  return BALANCED_BPS[level] / BPS_PER_PERCENT
}

/** The allowed drift in points of a percent, as people read it. */
export const BALANCED_DRIFT_POINTS = BALANCED_DRIFT_BPS / BPS_PER_PERCENT
