import postgres from 'postgres'
import { required } from '#core/assert.ts'
import type { Queries, Sql } from './open.ts'

/**
 * A dedicated connection for state that belongs to a session: an advisory lock that ends with our process in any case. A reserved connection of
 * the pool would not do: after a loss the driver sends its statements on a closed socket, which ends the process, or on another session,
 * which does not hold the lock.
 */
export type Session = {
  sql: Queries
  /** Resolves when the connection is lost, and with it everything the session held. Then the session can only be ended. */
  lost: Promise<void>
  end(): Promise<void>
}

export type SessionLock = { lost: Promise<void>; release(): Promise<void> }

const CONNECT_TIMEOUT_S = 5

/** Opens a session on the database at a URL or of a pool. It connects with its first statement. */
export function openSession(where: string | Sql, applicationName: string): Session {
  let resolveLost: () => void = () => undefined
  const lost = new Promise<void>((resolve) => {
    resolveLost = resolve
  })
  const options = {
    max: 1,
    fetch_types: false,
    idle_timeout: undefined,
    max_lifetime: null,
    connect_timeout: CONNECT_TIMEOUT_S,
    connection: { application_name: applicationName },
    types: { bigint: postgres.BigInt },
    onnotice: () => undefined,
    onclose: () => resolveLost(),
  }
  // The driver takes the options of a pool again, which its types do not know.
  const sql = typeof where === 'string' ? postgres(where, options) : postgres({ ...(where.options as object), ...options })
  return { sql, lost, end: () => sql.end({ timeout: 0 }) }
}

/** Takes the advisory lock `key`, held until released or `lost`; undefined if another session holds it. */
export function tryLock(pool: Sql, key: bigint): Promise<SessionLock | undefined> {
  return lockWith(pool, key, async (sql) => {
    const [row] = await sql<{ isMine: boolean }[]>`select pg_try_advisory_lock(${key}) as "isMine"`
    return row?.isMine === true
  })
}

/** Waits for the advisory lock `key` behind earlier callers. Throws after `patienceMs`. */
export async function waitForLock(pool: Sql, { key, patienceMs }: { key: bigint; patienceMs: number }): Promise<SessionLock> {
  const lock = await lockWith(pool, key, async (sql) => {
    await sql`select set_config('lock_timeout', ${String(patienceMs)}, false)`
    await sql`select pg_advisory_lock(${key})`
    return true
  })
  return required(lock, 'a lock that was waited for')
}

async function lockWith(pool: Sql, key: bigint, take: (sql: Queries) => Promise<boolean>): Promise<SessionLock | undefined> {
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
