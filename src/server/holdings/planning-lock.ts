import type { Queries } from '#server/db/statement.ts'

/** Number of the advisory lock between the engine's plans and stop-all. */
const PLANNING = 7_105_001

/** Taken by a plan until its commit, so that no bot is closed meanwhile. */
export async function lockPlanning(tx: Queries): Promise<void> {
  await tx`select pg_advisory_xact_lock(${PLANNING})`
}

/**
 * Taken by stop-all until its bots are closing, so that no plan is made meanwhile. Shared, so that
 * users do not wait for each other.
 */
export async function holdPlanning(tx: Queries): Promise<void> {
  await tx`select pg_advisory_xact_lock_shared(${PLANNING})`
}
