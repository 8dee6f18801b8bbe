import type { Pair } from '#core/market/pair.ts'
import type { RiskLevel } from '#core/strategy/risk-level.ts'
import type { StrategyKind } from '#core/strategy/strategy-key.ts'

/** The five largest coins, without stablecoins. The shipped evidence is about the same five. */
export const FIRST_PAIRS: readonly Pair[] = [
  'BTC/USDT',
  'ETH/USDT',
  'SOL/USDT',
  'XRP/USDT',
  'BNB/USDT',
]

type Suggested = { strategy: StrategyKind; riskLevel: RiskLevel; tradingPairs: readonly Pair[] }

/** Suggested to a new user. */
export const FIRST_BOT: Suggested = {
  strategy: 'trend',
  riskLevel: 'moderate',
  tradingPairs: FIRST_PAIRS,
}
