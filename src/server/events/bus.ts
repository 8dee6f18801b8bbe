import { EVENT_NAMES, type EventName } from '#contract/events.ts'
import type { PoolStates } from '#contract/holdings.ts'
import { listen as listenTo } from '#server/db/listen.ts'
import type { Sql } from '#server/db/open.ts'
import type { Queries } from '#server/db/statement.ts'
import { momentNow, type Moment } from './moment.ts'

/**
 * An event between processes. Without `userIds` it concerns everybody. Only prices and pools carry `data`. `sessions-ended` is never relayed: it ends the
 * streams of a user's browsers, which reconnect and authenticate again. `number` is that of the transaction that made it; transactions below
 * `past` had ended by then, so that all their events were heard before this one. Everybody's refetch after a gap has neither.
 */
export type AppEvent = { name: EventName | 'sessions-ended'; userIds?: string[]; data?: unknown; number?: bigint; past?: bigint }

const CHANNEL = 'app_events'
const WAKE_CHANNEL = 'engine_wake'
/** PostgreSQL's limit for a notification is 8,000 bytes. */
const MOST_USERS = 100
const MOST_POOLS = 50

/** Notifies all processes once the surrounding transaction commits, or at once outside of one. */
export async function publish(sql: Queries, ...events: Omit<AppEvent, 'number' | 'past'>[]): Promise<void> {
  const payloads = events.map(({ userIds, ...rest }) => JSON.stringify(userIds !== undefined && userIds.length <= MOST_USERS ? { ...rest, userIds } : rest))
  await sql`
    select pg_notify(${CHANNEL}, pg_current_xact_id() || ' ' || pg_snapshot_xmin(pg_current_snapshot()) || ' ' || payload)
      from unnest(${payloads}::text[]) as payload`
}

/** This user's money moved: screens that show it must refetch. */
export async function publishMoney(tx: Queries, userId: string, also: EventName[] = []): Promise<void> {
  const names = ['balance', 'transactions', ...also] as const
  await publish(tx, ...names.map((name) => ({ name, userIds: [userId] })))
}

/**
 * Bots of these users traded, or returned money to their cash; undefined for more users than can be listed. Then every browser refetches its bots,
 * not all at once.
 */
export async function publishTrading(tx: Queries, userIds: readonly string[] | undefined, { returns = false }: { returns?: boolean } = {}): Promise<void> {
  const named = userIds === undefined ? {} : { userIds: [...new Set(userIds)] }
  const names: EventName[] = userIds === undefined ? ['pools'] : ['bots', 'transactions']
  await publish(tx, ...[...names, ...(returns ? (['balance', 'transactions'] as const) : [])].map((name) => ({ name, ...named })))
}

/** Pools traded or were paid interest. Browsers value their parts with these states, so that no member has to ask. */
export async function publishPools(tx: Queries, states: PoolStates): Promise<void> {
  const pools = Object.entries(states)
  for (let sent = 0; sent < pools.length; sent += MOST_POOLS) await publish(tx, { name: 'pools', data: Object.fromEntries(pools.slice(sent, sent + MOST_POOLS)) })
}

/** Wakes the engine to serve a new or changed bot. */
export async function wakeEngine(tx: Queries): Promise<void> {
  await tx`select pg_notify(${WAKE_CHANNEL}, '')`
}

type Hearer = { onEvent: (event: AppEvent) => void; onListening: (moments: { past: Moment; next: Moment }) => void }

/**
 * Receives the events of all processes, in the order in which their transactions ended. It reconnects by itself after the database was down.
 * Events published meanwhile are lost, so `onListening` names the moment from which all are heard, and everybody is made to refetch.
 */
export async function listen(sql: Sql, { onEvent, onListening }: Hearer): Promise<() => Promise<void>> {
  const refetchAll = () => {
    for (const name of EVENT_NAMES) onEvent({ name })
  }
  const begin = async (session: Queries) => {
    onListening(await momentNow(session))
    refetchAll()
  }
  const onPayload = (payload: string) => {
    const event = readEvent(payload)
    if (event) onEvent(event)
    else refetchAll()
  }
  return listenTo(sql, { channel: CHANNEL, onPayload, onListening: begin })
}

/** Undefined for what this version did not write: during an update, processes of another version may share the database. */
function readEvent(payload: string): AppEvent | undefined {
  const [, number, past, event] = /^(\d+) (\d+) (\{.*\})$/s.exec(payload) ?? []
  if (number === undefined || past === undefined || event === undefined) return undefined
  return { ...(JSON.parse(event) as AppEvent), number: BigInt(number), past: BigInt(past) }
}

export async function listenForWake(sql: Sql, wake: () => void): Promise<() => Promise<void>> {
  return listenTo(sql, { channel: WAKE_CHANNEL, onPayload: wake })
}
