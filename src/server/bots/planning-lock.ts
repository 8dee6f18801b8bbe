import type { Queries } from '#server/db/statement.ts'

/**
 * The advisory lock between the engine's plans and stop-all. Any fixed number that no other lock of
 * this database has.
 */
const PLANNING = 7_105_001

/**
 * Held by a plan until it is committed: it sees every bot that was closed before, and none is
 * closed while it is made.
 */
export async function lockPlanning(tx: Queries): Promise<void> {
  await tx`select pg_advisory_xact_lock(${PLANNING})`
}

/**
 * Held by stop-all until its bots are closing: no plan is made meanwhile, and other users need not
 * wait.
 */
export async function holdPlanning(tx: Queries): Promise<void> {
  await tx`select pg_advisory_xact_lock_shared(${PLANNING})`
}
