import { EVENT_NAMES, type EventName } from '#contract/events.ts'
import type { Queries, Sql } from '#server/db/open.ts'

/**
 * What processes tell each other. `userIds` absent: everybody. `data` travels only with prices.
 * `sessions-ended` is never relayed: it makes the browsers of a user come back and say who they are.
 */
export type AppEvent = { name: EventName | 'sessions-ended'; userIds?: string[]; data?: unknown }

const CHANNEL = 'app_events'
const WAKE_CHANNEL = 'engine_wake'
/** PostgreSQL's limit for a notification is 8,000 bytes. */
const MOST_USERS = 100

/** Tells all processes once the surrounding transaction commits, or at once outside one. */
export async function publish(sql: Queries, ...events: AppEvent[]): Promise<void> {
  const payloads = events.map(({ userIds, ...rest }) => JSON.stringify(userIds !== undefined && userIds.length <= MOST_USERS ? { ...rest, userIds } : rest))
  await sql`select pg_notify(${CHANNEL}, payload) from unnest(${payloads}::text[]) as payload`
}

/** Money of this user moved: every screen that shows it must ask again. */
export async function publishMoney(tx: Queries, userId: string, also: EventName[] = []): Promise<void> {
  const names = ['balance', 'transactions', ...also] as const
  await publish(tx, ...names.map((name) => ({ name, userIds: [userId] })))
}

/** Bots traded: those of these users, or of everybody where they are too many to be named. */
export async function publishTrading(tx: Queries, userIds: readonly string[] | undefined): Promise<void> {
  const named = userIds === undefined ? {} : { userIds: [...new Set(userIds)] }
  await publish(tx, ...(['bots', 'balance', 'transactions'] as const).map((name) => ({ name, ...named })))
}

/** Wakes the engine: a bot awaits its first trade or its end. */
export async function wakeEngine(tx: Queries): Promise<void> {
  await tx`select pg_notify(${WAKE_CHANNEL}, '')`
}

/**
 * Hears what any process published; the driver listens again by itself after the database was away. What was published until then is
 * lost, so everybody is told to look again.
 */
export async function listen(sql: Sql, onEvent: (event: AppEvent) => void): Promise<() => Promise<void>> {
  const refetchAll = () => EVENT_NAMES.forEach((name) => onEvent({ name }))
  const { unlisten } = await sql.listen(CHANNEL, (payload) => onEvent(JSON.parse(payload) as AppEvent), refetchAll)
  return unlisten
}

export async function listenForWake(sql: Sql, wake: () => void): Promise<() => Promise<void>> {
  const { unlisten } = await sql.listen(WAKE_CHANNEL, wake)
  return unlisten
}
