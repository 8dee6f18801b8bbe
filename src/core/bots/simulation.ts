import type { Units } from '#core/money/amount.ts'
import { moneyText } from '#core/money/text.ts'

/** Days of market history that a simulated session covers. */
export const SIMULATION_DAYS = 30

/**
 * The message after a simulated session. It claims profit only if the net result after all costs is above 0; otherwise it states the
 * result ('3 trades, −$1.23 after fees') or that no trade met the bot's rules.
 */
export function simulationMessage({ trades, netResult }: { trades: number; netResult: Units }): string {
  if (trades === 0) return "No trade met this bot's rules"
  if (netResult > 0n) return 'Bot executed profitable trades!'
  return `${trades} ${trades === 1 ? 'trade' : 'trades'}, ${moneyText({ amount: netResult })} after fees`
}
