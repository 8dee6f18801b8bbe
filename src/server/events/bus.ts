import { EVENT_NAMES, type EventName } from '#contract/events.ts'
import type { PoolStates } from '#contract/holdings.ts'
import { notify } from '#server/db/listen.ts'
import type { Queries } from '#server/db/statement.ts'
import type { Events, EventReceiver } from '#server/ports/events.ts'

/**
 * An event between processes; without `userIds` for everybody. Only prices and pools carry `data`.
 * Two events are never relayed to browsers: `sessions-ended` ends a user's streams, whose browsers
 * then authenticate again; `engine-wanted` wakes the engine. `number`: the transaction that
 * published the event; transactions below `past` had ended by then. Both are missing in the refetch
 * for everybody after a gap.
 */
export type AppEvent = {
  name: EventName | OwnName
  userIds?: string[]
  data?: unknown
  number?: bigint
  past?: bigint
}

const OWN_NAMES = ['sessions-ended', 'engine-wanted'] as const
type OwnName = (typeof OWN_NAMES)[number]
const NAMES: ReadonlySet<unknown> = new Set([...EVENT_NAMES, ...OWN_NAMES])

/** PostgreSQL limits a notification to 8,000 bytes. */
const MOST_USERS = 100
const MOST_POOLS = 50

/** Publishes an event when the surrounding transaction commits, or at once outside of one. */
export async function publish(
  sql: Queries,
  ...events: Omit<AppEvent, 'number' | 'past'>[]
): Promise<void> {
  const texts = events.map(({ userIds, ...rest }) =>
    JSON.stringify(
      userIds !== undefined && userIds.length <= MOST_USERS ? { ...rest, userIds } : rest,
    ),
  )
  await notify(sql, texts)
}

/** Makes the user's screens refetch money. */
export async function publishMoney(
  tx: Queries,
  userId: string,
  also: EventName[] = [],
): Promise<void> {
  const names = ['balance', 'transactions', ...also] as const
  await publish(tx, ...names.map((name) => ({ name, userIds: [userId] })))
}

/**
 * Reports that bots of these users traded or returned money. `userIds` is undefined if there are
 * too many to list. Then all browsers refetch their bots, spread over time.
 */
export async function publishTrading(
  tx: Queries,
  userIds: readonly string[] | undefined,
  { returns = false }: { returns?: boolean } = {},
): Promise<void> {
  const named = userIds === undefined ? {} : { userIds: [...new Set(userIds)] }
  const names: EventName[] = userIds === undefined ? ['pools'] : ['bots', 'transactions']
  await publish(
    tx,
    ...[...names, ...(returns ? (['balance', 'transactions'] as const) : [])].map((name) => ({
      name,
      ...named,
    })),
  )
}

/**
 * Reports pools that traded or earned interest. With their new states, browsers value bots without
 * a request.
 */
export async function publishPools(tx: Queries, states: PoolStates): Promise<void> {
  const pools = Object.entries(states)
  for (let sent = 0; sent < pools.length; sent += MOST_POOLS)
    await publish(tx, {
      name: 'pools',
      data: Object.fromEntries(pools.slice(sent, sent + MOST_POOLS)),
    })
}

/** Wakes the engine to serve a new or changed bot. */
export async function wakeEngine(tx: Queries): Promise<void> {
  await publish(tx, { name: 'engine-wanted' })
}

type Listener = { onEvent: (event: AppEvent) => void; onListening: EventReceiver['onGap'] }

/**
 * Receives the events of all processes. After a gap, `onListening` gets the moment from which no
 * event is missed, and everybody refetches.
 */
export async function listen(
  events: Events,
  { onEvent, onListening }: Listener,
): Promise<() => Promise<void>> {
  const refetchAll = () => {
    for (const name of EVENT_NAMES) onEvent({ name })
  }
  return events.listen({
    onText: ({ text, ...order }) => {
      const event = readEvent(text)
      if (event) onEvent({ ...event, ...order })
      else refetchAll()
    },
    onGap: (moments) => {
      onListening(moments)
      refetchAll()
    },
  })
}

/**
 * Undefined if the text is malformed. During an update, it may come from a process of another
 * version that shares the database.
 */
function readEvent(text: string): AppEvent | undefined {
  try {
    const event: unknown = JSON.parse(text)
    return isEvent(event) ? event : undefined
  } catch {
    // The text is not JSON.
    return undefined
  }
}

/**
 * Checks an event strictly. Threat: whoever can publish to all processes could write into the
 * streams of browsers.
 */
function isEvent(event: unknown): event is AppEvent {
  if (typeof event !== 'object' || event === null || !('name' in event) || !NAMES.has(event.name))
    return false
  return !('userIds' in event) || Array.isArray(event.userIds)
}

/** Calls `wake` when a bot needs the engine, and after any gap. */
export async function listenForWake(
  events: Events,
  wake: () => void,
): Promise<() => Promise<void>> {
  return listen(events, {
    onEvent: ({ name }) => name === 'engine-wanted' && wake(),
    onListening: wake,
  })
}
