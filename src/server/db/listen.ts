import { setTimeout as delay } from 'node:timers/promises'
import type { Sql } from './open.ts'
import { openSession, type Session } from './session.ts'
import type { Queries } from './statement.ts'

const FIRST_RETRY_DELAY_MS = 50
const LONGEST_RETRY_DELAY_MS = 1_000

type Listener = {
  channel: string
  onPayload: (payload: string) => void
  onListening: (sql: Queries) => Promise<void>
  onLost: () => void
}

/**
 * Reconnects after a loss; notifications published meanwhile are lost. `onListening` is called each
 * time a connection begins to listen, `onLost` each time one is lost. Throws if the first attempt
 * fails.
 */
export async function listen(sql: Sql, listener: Listener): Promise<() => Promise<void>> {
  const state = { isOver: false, session: await begin(sql, listener) }
  void keepListening(sql, listener, state)
  return async () => {
    state.isOver = true
    await state.session.end()
  }
}

async function begin(sql: Sql, { channel, onPayload, onListening }: Listener): Promise<Session> {
  const session = openSession(sql, `listener of ${channel}`, onPayload)
  try {
    await session.sql`listen ${session.sql(channel)}`
    await onListening(session.sql)
    return session
  } catch (error) {
    await session.end()
    throw error
  }
}

async function keepListening(
  sql: Sql,
  listener: Listener,
  state: { isOver: boolean; session: Session },
): Promise<void> {
  let failures = 0
  for (;;) {
    await state.session.lost
    if (state.isOver) return
    if (failures === 0) listener.onLost()
    await delay(reconnectDelayMs(failures), undefined, { ref: false })
    const next = await begin(sql, listener).catch(() => undefined)
    failures = next ? 0 : failures + 1
    if (next) state.session = next
    if (next && state.isOver) await next.end()
  }
}

/** Delay before reconnecting. Half of it is random, so that processes do not reconnect together. */
export function reconnectDelayMs(failures: number): number {
  return (
    Math.min(FIRST_RETRY_DELAY_MS * 2 ** failures, LONGEST_RETRY_DELAY_MS) *
    (0.5 + Math.random() / 2)
  )
}

export const NOTIFY_CHANNEL = 'app_events'

/**
 * Sends notifications at commit. Each starts with the number of its transaction and the lowest
 * running one, because PostgreSQL delivers in the order of commits.
 */
export async function notify(sql: Queries, texts: readonly string[]): Promise<void> {
  await sql`
    select pg_notify(${NOTIFY_CHANNEL},
           pg_current_xact_id() || ' ' || pg_snapshot_xmin(pg_current_snapshot()) || ' ' || payload)
      from unnest(${texts}::text[]) as payload`
}
