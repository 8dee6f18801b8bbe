import { guardReason } from '#core/guards/guard-reason.ts'
import type { GuardName } from '#core/guards/guard.ts'
import { part, type Queries } from '#server/db/statement.ts'
import type { StoredChange, Whose } from './stays.ts'

/** A stop of a bot by a guard, in market time. */
export type StoredStop = {
  botId: string
  at: Date
  guard: GuardName
  changeBps: number
  endedAt: Date | null
}

/** The stops of a user's bots, oldest first. They are few. */
export async function findStops(sql: Queries, { userId, botId }: Whose): Promise<StoredStop[]> {
  return sql<StoredStop[]>`
    select bot_id, at, guard, change_bps, ended_at from bot_stops
     where user_id = ${userId} ${botId === undefined ? part`` : part`and bot_id = ${botId}`}
     order by at`
}

/**
 * A trade with its reason for this bot. The reason of a lot that leaves a pool is written for all
 * its members, and a guard of one of them is nobody else's: it is read from the stop during which
 * the coins were sold.
 */
export function withReason<Trade extends { botId: string; change: StoredChange }>(
  trade: Trade,
  stops: readonly StoredStop[],
): Trade {
  const { botId, change } = trade
  if (change.kind !== 'leave' && change.kind !== 'own') return trade
  const stop = stops.findLast(
    (one) =>
      one.botId === botId &&
      one.at <= change.marketTime &&
      (one.endedAt === null || change.marketTime <= one.endedAt),
  )
  return stop ? { ...trade, change: { ...change, reason: guardReason(stop) } } : trade
}
