import type { Queries } from '#server/db/statement.ts'

/** Thrown instead of planning or sending an order while orders are halted. */
export class Halted extends Error {}

/** Undefined if orders are not halted. */
export async function findHalt(sql: Queries): Promise<{ since: Date; reason: string } | undefined> {
  const [halt] = await sql<{ since: Date; reason: string }[]>`
    select halted_at as since, halt_reason as reason from market_clock where halted_at is not null`
  return halt
}

/**
 * Halts orders: once this commits, no engine sends an order. Returns false if they were already
 * halted.
 */
export async function haltOrders(tx: Queries, reason: string): Promise<boolean> {
  const rows =
    await tx`update market_clock set halted_at = clock_timestamp(), halt_reason = ${reason}
      where halted_at is null returning 1`
  return rows.length > 0
}

/** False if orders were not halted. */
export async function resumeOrders(tx: Queries): Promise<boolean> {
  const rows = await tx`update market_clock set halted_at = null, halt_reason = null
      where halted_at is not null returning 1`
  return rows.length > 0
}
