/** Risk levels of a bot, lowest first. Each has a preset strategy with its own volatility target. */
export const RISK_LEVELS = ['conservative', 'moderate', 'aggressive'] as const

export type RiskLevel = (typeof RISK_LEVELS)[number]
