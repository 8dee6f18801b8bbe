import { PERFORMANCE_FEE_BPS } from '#core/trading/fee.ts'
import type { StrategyKind } from './strategy-key.ts'

/**
 * Platform fee of a new bot, in basis points of profit taken out. A bot keeps the rate it began
 * with.
 */
export function feeBpsOf(strategy: StrategyKind, { holdFeeBps }: { holdFeeBps: number }): number {
  return strategy === 'hold' ? holdFeeBps : PERFORMANCE_FEE_BPS
}
