import { realpath } from 'node:fs/promises'
import { codeOf } from '../../code-of.ts'
import { StartupError } from '../../startup-error.ts'
import { openSession, type SessionLock } from '../session.ts'
import { urlOf } from './access.ts'
import type { Cluster } from './cluster.ts'

/**
 * A connection that proves three things: the server answers, it serves our folder, and no other
 * process of the product owns it. The lock belongs to the session, so it ends with our process in
 * any case; losing it tells us that the server died.
 */
export type Guard = SessionLock

export type GuardAnswer =
  | { kind: 'held'; guard: Guard }
  | { kind: 'taken' }
  | { kind: 'not-ready'; reason: string }

const OWNER_LOCK = 7_205_331_141n

/** Tries once, without waiting for a lock held by another process. */
export async function acquireGuard({
  cluster,
  port,
}: {
  cluster: Cluster
  port: number
}): Promise<GuardAnswer> {
  const session = openSession({ url: urlOf({ ...cluster.access, port }) }, 'trading-bot supervisor')
  try {
    const [row] = await session.sql<{ folder: string; locked: boolean }[]>`
      select current_setting('data_directory') as folder, pg_try_advisory_lock(${OWNER_LOCK})
             as locked`
    const isOurs = row !== undefined && (await realpath(row.folder)) === cluster.folder
    if (isOurs && row.locked)
      return { kind: 'held', guard: { lost: session.lost, release: session.end } }
    await session.end()
    return isOurs
      ? { kind: 'taken' }
      : { kind: 'not-ready', reason: `port ${port} belongs to another PostgreSQL` }
  } catch (error) {
    await session.end()
    if (codeOf(error) === '28P01')
      throw new StartupError(
        `The database's password in ${cluster.accessFile} is not the one it was made with.`,
      )
    return { kind: 'not-ready', reason: error instanceof Error ? error.message : String(error) }
  }
}
