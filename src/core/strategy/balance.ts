import type { RiskLevel } from './risk-level.ts'

/** Part of its money that a balanced bot keeps in coins, in percent. */
export const BALANCED_PERCENT: Record<RiskLevel, number> = {
  conservative: 25,
  moderate: 50,
  aggressive: 75,
}

const BPS_PER_PERCENT = 100

/** The same part in basis points. */
export function balancedBps(level: RiskLevel): number {
  return BALANCED_PERCENT[level] * BPS_PER_PERCENT
}

/**
 * How far the coins of a balanced bot may drift from their part before it trades back, in basis
 * points of its money. Five points are the usual threshold of advisers, chosen before any result
 * was computed (decision 054).
 */
export const BALANCED_DRIFT_BPS = 500

/** The allowed drift in points of a percent, as people read it. */
export const BALANCED_DRIFT_POINTS = BALANCED_DRIFT_BPS / BPS_PER_PERCENT
