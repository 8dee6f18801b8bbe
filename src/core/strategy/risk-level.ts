export const RISK_LEVELS = ['conservative', 'moderate', 'aggressive'] as const

export type RiskLevel = (typeof RISK_LEVELS)[number]

export function byRiskLevel<Value>(valueOf: (level: RiskLevel) => Value): Record<RiskLevel, Value> {
  return {
    conservative: valueOf('conservative'),
    moderate: valueOf('moderate'),
    aggressive: valueOf('aggressive'),
  }
}
