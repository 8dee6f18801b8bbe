import type { Queries } from '#server/db/statement.ts'

/** Advisory lock between the engine's plans and stop-all; any number that no other lock has. */
const PLANNING = 7_105_001

/** Held by a plan until its commit, so that no bot is closed while it is made. */
export async function lockPlanning(tx: Queries): Promise<void> {
  await tx`select pg_advisory_xact_lock(${PLANNING})`
}

/**
 * Held by stop-all until its bots are closing: no plan is made meanwhile. Shared, so that users do
 * not wait for each other.
 */
export async function holdPlanning(tx: Queries): Promise<void> {
  await tx`select pg_advisory_xact_lock_shared(${PLANNING})`
}
