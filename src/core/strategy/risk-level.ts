/**
 * Risk levels of a bot, lowest first. Each has a preset strategy with its own volatility target.
 */
export const RISK_LEVELS = ['conservative', 'moderate', 'aggressive'] as const

export type RiskLevel = (typeof RISK_LEVELS)[number]

/** A value for each risk level. */
export function byRiskLevel<Value>(valueOf: (level: RiskLevel) => Value): Record<RiskLevel, Value> {
  return {
    conservative: valueOf('conservative'),
    moderate: valueOf('moderate'),
    aggressive: valueOf('aggressive'),
  }
}
