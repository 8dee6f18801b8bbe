import { realpath } from 'node:fs/promises'
import postgres from 'postgres'
import { StartupError } from '../../startup-error.ts'
import { urlOf } from './access.ts'
import type { Cluster } from './cluster.ts'

/**
 * One connection that says three things: the server answers, it serves our folder, and no other process of the product owns it.
 * The lock is the session's, so it ends with us however we end; and its loss is how we learn that the server died.
 */
export type Guard = { lost: Promise<void>; release(): Promise<void> }

export type GuardAnswer = { kind: 'held'; guard: Guard } | { kind: 'taken' } | { kind: 'not-ready'; reason: string }

const OWNER_LOCK = 7_205_331_141
const CONNECT_TIMEOUT_S = 5

/** Asks once, without waiting for a lock that another holds. */
export async function acquireGuard({ cluster, port }: { cluster: Cluster; port: number }): Promise<GuardAnswer> {
  const connection = connect({ cluster, port })
  try {
    const [row] = await connection.sql<{ folder: string; locked: boolean }[]>`
      select current_setting('data_directory') as folder, pg_try_advisory_lock(${OWNER_LOCK}) as locked`
    const isOurs = row !== undefined && (await realpath(row.folder)) === cluster.folder
    if (isOurs && row.locked) return { kind: 'held', guard: connection }
    await connection.release()
    return isOurs ? { kind: 'taken' } : { kind: 'not-ready', reason: `port ${port} belongs to another PostgreSQL` }
  } catch (error) {
    await connection.release()
    if (codeOf(error) === '28P01') throw new StartupError(`The database's password in ${cluster.accessFile} is not the one it was made with.`)
    return { kind: 'not-ready', reason: error instanceof Error ? error.message : String(error) }
  }
}

function connect({ cluster, port }: { cluster: Cluster; port: number }): Guard & { sql: postgres.Sql } {
  let tellLost: () => void = () => undefined
  const lost = new Promise<void>((resolve) => {
    tellLost = resolve
  })
  const sql = postgres(urlOf({ ...cluster.access, port }), {
    max: 1,
    fetch_types: false,
    max_lifetime: null,
    connect_timeout: CONNECT_TIMEOUT_S,
    connection: { application_name: 'trading-bot supervisor' },
    onnotice: () => undefined,
    onclose: () => tellLost(),
  })
  return { sql, lost, release: () => sql.end({ timeout: 0 }) }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
