import { HOUR_MS } from '#core/market/candle.ts'
import type { Hold } from '#core/withdrawals/withdrawal.ts'
import type { Context } from '#server/context.ts'
import type { Queries } from '#server/db/statement.ts'
import { findDepositsSince } from './store.ts'

const LIVE_HOLD_HOURS = 72

/** Card deposits that cannot be withdrawn yet, because a cardholder may still reverse them. They trade at once and leave after DEPOSIT_HOLD_HOURS. */
export async function heldDeposits({ config, now }: Context, sql: Queries, userId: string): Promise<Hold[]> {
  const holdMs = (config.DEPOSIT_HOLD_HOURS ?? (config.BOOK === 'live' ? LIVE_HOLD_HOURS : 0)) * HOUR_MS
  if (holdMs === 0) return []
  const since = new Date(now().getTime() - holdMs)
  const deposits = await findDepositsSince(sql, { userId, since })
  return deposits.map(({ amount, creditedAt }) => ({ amount, until: new Date(creditedAt.getTime() + holdMs) }))
}
