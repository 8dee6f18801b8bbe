import type { RiskLevel } from '#core/strategy/risk-level.ts'
import { msg, say } from './words.ts'

const RISK_LEVELS: Record<RiskLevel, string> = {
  conservative: msg('Conservative'),
  moderate: msg('Moderate'),
  aggressive: msg('Aggressive'),
}

/** 'Moderate' for 'moderate'. */
export function riskTitle(level: RiskLevel): string {
  return say(RISK_LEVELS[level])
}
