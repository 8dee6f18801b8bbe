import { PERFORMANCE_FEE_BPS } from '#core/trading/performance-fee.ts'
import { RISK_LEVELS, type RiskLevel } from './risk-level.ts'

/**
 * trend: follows rising prices and is otherwise in cash · hold: buys once and keeps · balanced:
 * keeps a fixed percentage in coins.
 */
export const STRATEGIES = ['trend', 'hold', 'balanced'] as const

export type StrategyKind = (typeof STRATEGIES)[number]

export type StrategyKey = `trend-${RiskLevel}` | 'hold' | `balanced-${RiskLevel}`

export type StrategyChoice = { strategy: StrategyKind; riskLevel: RiskLevel }

/** A hold bot has all its money in coins: the highest risk. */
export const LEVEL_OF_HOLD: RiskLevel = 'aggressive'

const CHOICES: readonly StrategyChoice[] = STRATEGIES.flatMap((strategy) =>
  levelsOf(strategy).map((riskLevel) => ({ strategy, riskLevel })),
)

export const STRATEGY_KEYS: readonly StrategyKey[] = CHOICES.map(strategyKey)

export function levelsOf(strategy: StrategyKind): readonly RiskLevel[] {
  return strategy === 'hold' ? [LEVEL_OF_HOLD] : RISK_LEVELS
}

export function strategyKey({ strategy, riskLevel }: StrategyChoice): StrategyKey {
  return strategy === 'hold' ? 'hold' : `${strategy}-${riskLevel}`
}

export function choiceOf(key: StrategyKey): StrategyChoice {
  return (
    CHOICES.find((choice) => strategyKey(choice) === key) ?? {
      strategy: 'hold',
      riskLevel: LEVEL_OF_HOLD,
    }
  )
}

/**
 * Platform fee of a new bot, in basis points of profit taken out. A bot keeps the rate it began
 * with.
 */
export function feeBpsOf(strategy: StrategyKind, { holdFeeBps }: { holdFeeBps: number }): number {
  return strategy === 'hold' ? holdFeeBps : PERFORMANCE_FEE_BPS
}
