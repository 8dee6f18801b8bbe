import { english } from '#core/english.ts'
import type { RiskLevel } from '#core/strategy/risk-level.ts'

export const EVIDENCE_COMPUTING = english('The evidence is being computed.')

/**
 * Target returns in percent a year. They are no promise: screens must show the evidence beside
 * them.
 */
export const TARGETS: Record<RiskLevel, { from: number; to: number }> = {
  conservative: { from: 15, to: 25 },
  moderate: { from: 25, to: 50 },
  aggressive: { from: 50, to: 75 },
}
