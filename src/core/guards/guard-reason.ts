import { percentOfBps } from '#core/money/percent.ts'
import { sentence, type Sentence } from '#core/sentences.ts'
import type { GuardName, GuardTrip } from './guard.ts'

const REASONS = {
  'stop-loss': 'stopLoss',
  'trailing-stop': 'trailingStop',
  'take-profit': 'takeProfit',
  'daily-loss': 'dailyLoss',
} as const satisfies Record<GuardName, string>

export function guardReason({
  guard,
  changeBps,
}: Pick<GuardTrip, 'guard' | 'changeBps'>): Sentence {
  return sentence(REASONS[guard], { percent: `${percentOfBps(Math.abs(changeBps))}%` })
}
