import type { Bot } from '#contract/bots.ts'
import type { RiskLevel } from '#core/strategy/risk-level.ts'
import { kindTitle } from '#words/kind-names.ts'
import { msg, say, t } from '#words/words.ts'

const STATES: Record<Bot['status'], string> = {
  active: msg('active'),
  paused: msg('paused'),
  stopped: msg('stopped'),
  closing: msg('closing'),
}

const LEVELS: Record<RiskLevel, string> = {
  conservative: msg('conservative'),
  moderate: msg('moderate'),
  aggressive: msg('aggressive'),
}

/** 'paused', as in 'paused · moderate'. */
export function statusWord({ status, isChanging }: Pick<Bot, 'status' | 'isChanging'>): string {
  return isChanging ? t('changing') : say(STATES[status])
}

/** 'Trend · moderate', as in 'paused · Trend · moderate'. */
export function kindWords({ strategy, riskLevel }: Pick<Bot, 'strategy' | 'riskLevel'>): string {
  return `${kindTitle(strategy)} · ${say(LEVELS[riskLevel])}`
}
