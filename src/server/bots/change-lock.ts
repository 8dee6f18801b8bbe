import { part, type Fragment, type Queries } from '#server/db/statement.ts'

/** The advisory lock between changes of bots and the engine, in a distributed database. Any fixed number that no other lock of this database has. */
const CHANGES = 7_105_002

/**
 * Locks the bots of many users in the order of the statement that reads them, and ends it. A distributed database locks no rows on several
 * nodes in one statement: there, changes of bots wait until the transaction ends.
 */
export async function lockingBots(tx: Queries, bots = part``): Promise<Fragment> {
  if (!tx.isDistributed) return part`for no key update ${bots}`
  await tx`select pg_advisory_xact_lock(${CHANGES})`
  return part``
}

/** Held by whoever changes a user's bot, before it is locked. */
export async function holdChanges(tx: Queries): Promise<void> {
  if (tx.isDistributed) await tx`select pg_advisory_xact_lock_shared(${CHANGES})`
}
