import type { StrategyKind } from '#core/strategy/strategy-key.ts'
import { msg, say } from './words.ts'

const KINDS: Record<StrategyKind, string> = {
  trend: msg('Trend'),
  hold: msg('Hold'),
  balanced: msg('Balanced'),
}

export function kindTitle(strategy: StrategyKind): string {
  return say(KINDS[strategy])
}
