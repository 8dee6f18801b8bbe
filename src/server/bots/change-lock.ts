import { part, type Fragment, type Queries } from '#server/db/statement.ts'

/**
 * The advisory lock between changes of bots and the engine, in a distributed database. Any fixed
 * number that no other lock of this database has.
 */
const CHANGES = 7_105_002

/**
 * Locks the bots of many users in the order of the statement that reads them, and ends it. A
 * distributed database locks no rows on several nodes in one statement: there, changes of bots wait
 * until the transaction ends.
 */
export async function lockingBots(tx: Queries, bots = part``): Promise<Fragment> {
  if (!tx.isDistributed) return part`for no key update ${bots}`
  await tx`select pg_advisory_xact_lock(${CHANGES})`
  return part``
}

/**
 * Held by whoever changes a user's bot, before it is locked. Counted under the lock, so an engine
 * that reads the count under its own also sees the change.
 */
export async function holdChanges(tx: Queries): Promise<void> {
  if (!tx.isDistributed) return
  await tx`select pg_advisory_xact_lock_shared(${CHANGES})`
  await tx`select nextval('bot_changes')`
}

/**
 * A look at all nodes of a distributed database that found nothing to do; `since`: the count of
 * changes at that time. Until the next change, it need not be repeated. One PostgreSQL has none,
 * because an index answers.
 */
export type Lull = { since: string; endsMs: number } | undefined

/**
 * A change that is committed may reach its node late, after a crash: the nodes are asked this often
 * all the same.
 */
const LONGEST_LULL_MS = 30_000

export const lullSince = (since: string | undefined): Lull =>
  since === undefined ? undefined : { since, endsMs: performance.now() + LONGEST_LULL_MS }

export async function isLull(sql: Queries, lull: Lull): Promise<boolean> {
  return (
    lull !== undefined &&
    performance.now() < lull.endsMs &&
    (await countChanges(sql)) === lull.since
  )
}

/**
 * Waits for changes that have begun, keeps others out until the transaction ends, and returns their
 * number: what is seen now is true until the next.
 */
export async function waitForChanges(tx: Queries): Promise<string | undefined> {
  if (!tx.isDistributed) return undefined
  await tx`select pg_advisory_xact_lock(${CHANGES})`
  return countChanges(tx)
}

/** With the start of the server: a crash may take back a number that was given out. */
async function countChanges(sql: Queries): Promise<string | undefined> {
  const [row] = await sql<
    { changes: string }[]
  >`select last_value || ' since ' || pg_postmaster_start_time() as changes from bot_changes`
  return row?.changes
}
