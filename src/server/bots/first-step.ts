import type { Portfolio } from '#contract/market.ts'
import type { Queries } from '#server/db/statement.ts'
import type { Balances } from '#server/holdings/balances.ts'
import { findChangesUntil } from '#server/holdings/stays.ts'
import type { StoredBot } from './store.ts'

type Standing = { userId: string; balances: Balances; bots: readonly StoredBot[] }

/** The next step of a user none of whose bots has traded yet; null for all others. */
export async function readFirstStep(
  sql: Queries,
  { userId, balances, bots }: Standing,
): Promise<Portfolio['firstStep']> {
  if (bots.some(({ holdsCoins }) => holdsCoins)) return null
  const trades = await findChangesUntil(sql, { userId }, { until: undefined, limit: 1 })
  if (trades.length > 0) return null
  if (bots.length > 0) return 'watch'
  return balances.cash > 0n ? 'bot' : 'deposit'
}
