import type { Units } from '#core/money/amount.ts'
import { moneyText } from '#core/money/text.ts'

export const SIMULATION_DAYS = 30

/**
 * The sentence after a simulated session. It speaks of profit only where the net result after all costs is above 0; else it says what
 * happened: '3 trades, −$1.23 after fees', or that no trade met the bot's rules.
 */
export function simulationMessage({ trades, netResult }: { trades: number; netResult: Units }): string {
  if (trades === 0) return "No trade met this bot's rules"
  if (netResult > 0n) return 'Bot executed profitable trades!'
  return `${trades} ${trades === 1 ? 'trade' : 'trades'}, ${moneyText({ amount: netResult })} after fees`
}
