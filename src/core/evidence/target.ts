import type { RiskLevel } from '#core/strategy/risk-level.ts'

export const EVIDENCE_COMPUTING = 'The evidence is being computed.'

/** What the product names as the aim of a risk level, in percent a year. A target, not a promise: the evidence stands beside it. */
export const TARGETS: Record<RiskLevel, { from: number; to: number }> = {
  conservative: { from: 15, to: 25 },
  moderate: { from: 25, to: 50 },
  aggressive: { from: 50, to: 75 },
}
