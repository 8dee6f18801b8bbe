import { HOUR_MS } from '#core/market/candle.ts'
import type { Units } from '#core/money/amount.ts'
import type { DepositOnHold } from '#core/withdrawals/withdrawal.ts'
import type { Context } from '#server/context.ts'
import type { Queries } from '#server/db/statement.ts'
import { findDepositsWithin } from './store.ts'

const LIVE_DEPOSIT_HOLD_HOURS = 72

/**
 * Card deposits that may trade but not leave before DEPOSIT_HOLD_HOURS, because the cardholder may
 * still reverse them.
 */
export async function heldDeposits(
  { config }: Pick<Context, 'config'>,
  sql: Queries,
  userId: string,
): Promise<DepositOnHold[]> {
  const holdMs = holdHours(config) * HOUR_MS
  if (holdMs === 0) return []
  const deposits = await findDepositsWithin(sql, { userId, ms: holdMs })
  return deposits.map(({ amount, creditedAt }) => ({
    amount,
    until: new Date(creditedAt.getTime() + holdMs),
  }))
}

export function holdHours({
  BOOK,
  DEPOSIT_HOLD_HOURS,
}: Pick<Context['config'], 'BOOK' | 'DEPOSIT_HOLD_HOURS'>): number {
  return DEPOSIT_HOLD_HOURS ?? (BOOK === 'live' ? LIVE_DEPOSIT_HOLD_HOURS : 0)
}

/** The sum of card deposits that are younger than `hours`, less what was taken back. */
export async function sumYoungDeposits(
  sql: Queries,
  { userId, hours }: { userId: string; hours: number },
): Promise<Units> {
  const deposits = await findDepositsWithin(sql, { userId, ms: hours * HOUR_MS })
  return deposits.reduce((sum, { amount }) => sum + amount, 0n)
}
