import type { Queries } from '#server/db/open.ts'

/** No order is sent while the operator, or a difference between the exchange and the book, stopped them. */
export class Halted extends Error {}

/** Whether new orders are stopped, and why; undefined while they are not. */
export async function findHalt(sql: Queries): Promise<{ since: Date; reason: string } | undefined> {
  const [halt] = await sql<{ since: Date; reason: string }[]>`
    select halted_at as since, halt_reason as reason from market_clock where halted_at is not null`
  return halt
}

/** From the moment this commits no engine sends an order; those on their way are looked up and booked. False where it was halted before. */
export async function haltOrders(tx: Queries, reason: string): Promise<boolean> {
  const rows = await tx`update market_clock set halted_at = clock_timestamp(), halt_reason = ${reason} where halted_at is null returning 1`
  return rows.length > 0
}

/** False where nothing was halted. */
export async function resumeOrders(tx: Queries): Promise<boolean> {
  const rows = await tx`update market_clock set halted_at = null, halt_reason = null where halted_at is not null returning 1`
  return rows.length > 0
}
