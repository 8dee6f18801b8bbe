import { required } from '#core/assert.ts'
import { Client } from './client.ts'
import { send, takingTurns } from './connection.ts'
import type { Sql } from './open.ts'
import { queriesOver, type Queries } from './statement.ts'

/**
 * A dedicated connection for state that belongs to a session: an advisory lock, a LISTEN. Both end
 * with our process in any case.
 */
export type Session = {
  sql: Queries
  /**
   * Resolves when the connection is lost, and with it everything the session held. Then the session
   * can only be ended.
   */
  lost: Promise<void>
  end(): Promise<void>
}

export type SessionLock = { lost: Promise<void>; release(): Promise<void> }

export function openSession(
  { url }: Pick<Sql, 'url'>,
  applicationName: string,
  onNotification?: (payload: string) => void,
): Session {
  const client = new Client({ connectionString: url, application_name: applicationName })
  const lost = new Promise<void>((resolve) => {
    client.on('error', () => resolve())
    client.on('end', () => resolve())
  })
  if (onNotification) client.on('notification', ({ payload = '' }) => onNotification(payload))
  const inTurn = takingTurns()
  let connected: Promise<unknown> | undefined
  const sql = queriesOver((sent) =>
    inTurn(async () => {
      await (connected ??= client.connect())
      return send(client, sent)
    }),
  )
  return { sql, lost, end: () => client.end() }
}

/**
 * Takes the advisory lock `key`, held until released or `lost`; undefined if another session holds
 * it.
 */
export function tryLock(pool: Sql, key: bigint): Promise<SessionLock | undefined> {
  return lockWith(pool, key, async (sql) => {
    const [row] = await sql<{ isMine: boolean }[]>`select pg_try_advisory_lock(${key}) as "isMine"`
    return row?.isMine === true
  })
}

/** Waits for the advisory lock `key` behind earlier callers. Throws after `patienceMs`. */
export async function waitForLock(
  pool: Sql,
  { key, patienceMs }: { key: bigint; patienceMs: number },
): Promise<SessionLock> {
  const lock = await lockWith(pool, key, async (sql) => {
    await sql`select set_config('lock_timeout', ${String(patienceMs)}, false)`
    await sql`select pg_advisory_lock(${key})`
    return true
  })
  return required(lock, 'a lock that was waited for')
}

async function lockWith(
  pool: Sql,
  key: bigint,
  take: (sql: Queries) => Promise<boolean>,
): Promise<SessionLock | undefined> {
  const session = openSession(pool, `lock ${key}`)
  try {
    if (await take(session.sql)) return { lost: session.lost, release: session.end }
  } catch (error) {
    await session.end()
    throw error
  }
  await session.end()
  return undefined
}
