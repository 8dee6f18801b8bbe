import { unitsToDecimal } from '#core/money/decimal.ts'
import { sentence, type Sentence } from '#core/sentences.ts'
import type { GuardName, GuardTrip } from './guard.ts'

const REASONS = {
  'stop-loss': 'stopLoss',
  'trailing-stop': 'trailingStop',
  'take-profit': 'takeProfit',
  'daily-loss': 'dailyLoss',
} as const satisfies Record<GuardName, string>

/** Why a guard sold a bot's coins, in one sentence for its owner. */
export function guardReason({
  guard,
  changeBps,
}: Pick<GuardTrip, 'guard' | 'changeBps'>): Sentence {
  return sentence(REASONS[guard], { percent: `${percentText(Math.abs(changeBps))}%` })
}

/** Basis points in percent with 2 decimals: 1234 is '12.34'. */
function percentText(bps: number): string {
  return unitsToDecimal(BigInt(bps) * 1_000_000n, 2)
}
