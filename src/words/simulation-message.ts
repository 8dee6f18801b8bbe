import type { Units } from '#core/money/amount.ts'
import { moneyText } from './figures.ts'
import { t, tCount } from './words.ts'

/**
 * The message after a simulated session. It claims profit only if the net result after all costs is
 * above 0; otherwise it states the result ('3 trades, −$1.23 after fees') or that no trade met the
 * bot's rules.
 */
export function simulationMessage({
  trades,
  netResult,
}: {
  trades: number
  netResult: Units
}): string {
  if (trades === 0) return t("No trade met this bot's rules")
  if (netResult > 0n) return t('Bot executed profitable trades!')
  return tCount(
    trades,
    { one: '{count} trade, {amount} after fees', other: '{count} trades, {amount} after fees' },
    { amount: moneyText({ amount: netResult }) },
  )
}
