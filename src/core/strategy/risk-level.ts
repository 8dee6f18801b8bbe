/** How much risk a bot takes: each level is one preset strategy with its own volatility target. */
export const RISK_LEVELS = ['conservative', 'moderate', 'aggressive'] as const

export type RiskLevel = (typeof RISK_LEVELS)[number]
