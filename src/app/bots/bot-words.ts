import type { Bot } from '#contract/bots.ts'
import { balancedPercent } from '#core/strategy/balance.ts'
import type { RiskLevel } from '#core/strategy/risk-level.ts'
import { msg, say, t } from '#words/words.ts'

const STATES: Record<Bot['status'], string> = { active: msg('active'), paused: msg('paused'), closing: msg('closing') }

const LEVELS: Record<RiskLevel, string> = { conservative: msg('conservative'), moderate: msg('moderate'), aggressive: msg('aggressive') }

/** 'paused', as in 'paused · moderate'. */
export function statusWord({ status, isChanging }: Pick<Bot, 'status' | 'isChanging'>): string {
  return isChanging ? t('changing') : say(STATES[status])
}

/** 'moderate', as in 'paused · moderate'; 'balanced, 50% in coins' or 'holds' for bots that follow no trends. */
export function rulesWord({ strategy, riskLevel }: Pick<Bot, 'strategy' | 'riskLevel'>): string {
  if (strategy === 'hold') return t('holds')
  return strategy === 'trend' ? say(LEVELS[riskLevel]) : t('balanced, {percent}% in coins', { percent: balancedPercent(riskLevel) })
}
