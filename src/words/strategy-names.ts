import { BALANCED_PERCENT } from '#core/strategy/balanced-share.ts'
import type { RiskLevel } from '#core/strategy/risk-level.ts'
import type { StrategyChoice } from '#core/strategy/strategy-key.ts'
import { kindTitle } from './kind-names.ts'
import { msg, say, t } from './words.ts'

/** 'Moderate' for a trend bot, 'Balanced 50%', or 'Hold', which has only one level. */
export function strategyTitle({ strategy, riskLevel }: StrategyChoice): string {
  if (strategy === 'hold') return kindTitle(strategy)
  return strategy === 'trend'
    ? riskTitle(riskLevel)
    : t('Balanced {percent}%', { percent: BALANCED_PERCENT[riskLevel] })
}

const RISK_LEVELS: Record<RiskLevel, string> = {
  conservative: msg('Conservative'),
  moderate: msg('Moderate'),
  aggressive: msg('Aggressive'),
}

export function riskTitle(level: RiskLevel): string {
  return say(RISK_LEVELS[level])
}
