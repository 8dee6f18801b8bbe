import { BALANCED_PERCENT } from '#core/strategy/balance.ts'
import type { StrategyChoice, StrategyKind } from '#core/strategy/strategy-key.ts'
import { riskTitle } from './names.ts'
import { msg, say, t } from './words.ts'

const KINDS: Record<StrategyKind, string> = { trend: msg('Trend'), hold: msg('Hold'), balanced: msg('Balanced') }

/** 'Hold' for 'hold'. */
export function kindTitle(strategy: StrategyKind): string {
  return say(KINDS[strategy])
}

/** 'Moderate' for a bot that follows trends, 'Balanced 50%', and 'Hold', which has one level. */
export function strategyTitle({ strategy, riskLevel }: StrategyChoice): string {
  if (strategy === 'hold') return kindTitle(strategy)
  return strategy === 'trend' ? riskTitle(riskLevel) : t('Balanced {percent}%', { percent: BALANCED_PERCENT[riskLevel] })
}
