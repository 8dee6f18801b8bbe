import type { Units } from '#core/money/amount.ts'
import { unitsToDecimal } from '#core/money/decimal.ts'

export const SIMULATION_DAYS = 30

/**
 * The sentence after a simulated session. It speaks of profit only where the net result after all costs is above 0; else it says what
 * happened: '3 trades, −$1.23 after fees', or that no trade met the bot's rules.
 */
export function simulationMessage({ trades, netResult }: { trades: number; netResult: Units }): string {
  if (trades === 0) return "No trade met this bot's rules"
  if (netResult > 0n) return 'Bot executed profitable trades!'
  const [sign, amount] = netResult < 0n ? ['−', -netResult] : ['', netResult]
  return `${trades} ${trades === 1 ? 'trade' : 'trades'}, ${sign}$${unitsToDecimal(amount, 2)} after fees`
}
