import type { Queries } from '#server/db/statement.ts'

/**
 * A moment in the order of the database's transactions, so that no two machines' clocks are compared. Transactions below `number` had ended by
 * then. Numbers belong to one life of the database: after a restart or with a promoted standby in its place they cannot be compared.
 */
export type Moment = { life: string; number: bigint }

export const momentText = ({ life, number }: Moment): string => `${life}.${number}`

export function readMoment(text: string): Moment | undefined {
  const [, life, number] = /^(\d{1,20})\.(\d{1,20})$/.exec(text) ?? []
  return life === undefined || number === undefined ? undefined : { life, number: BigInt(number) }
}

/** `past`: what was committed below it is seen by everything read from now on. `next`: every transaction from there on begins after now. */
export async function momentNow(sql: Queries): Promise<{ past: Moment; next: Moment }> {
  const [row] = await sql<{ life: string; past: string; next: string }[]>`
    select (extract(epoch from pg_postmaster_start_time()) * 1000000)::bigint::text as life,
           pg_snapshot_xmin(pg_current_snapshot())::text as past, pg_snapshot_xmax(pg_current_snapshot())::text as next`
  const { life = '', past = 0, next = 0 } = row ?? {}
  return { past: { life, number: BigInt(past) }, next: { life, number: BigInt(next) } }
}
