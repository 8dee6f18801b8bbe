import type { Units } from '#core/money/amount.ts'
import type { Lots } from '#core/pool/plan.ts'
import type { Queries } from '#server/db/statement.ts'

/** All moving members of a pool, including those that need no order. */
export type Moving = Lots & { pausing: number; resuming: number; members: number }

export async function sumLots(sql: Queries): Promise<Map<number, Moving>> {
  type Row = {
    pool: number
    joiners: number
    cash: Units
    leavers: number
    units: string
    holders: number
    base: Units
    pausing: number
    resuming: number
    members: number
  }
  const sums = await sql<Row[]>`
    select pool,
           (count(*) filter (where status = 'joining'))::integer as joiners,
           coalesce(sum(cash) filter (where status = 'joining'), 0)::bigint as cash,
           (count(*) filter (where leaving > 0))::integer as leavers,
           coalesce(sum(leaving), 0)::text as units,
           (count(*) filter (where base > 0))::integer as holders,
           coalesce(sum(base), 0)::bigint as base,
           (count(*) filter (where status = 'pausing'))::integer as pausing,
           (count(*) filter (where status = 'resuming'))::integer as resuming,
           count(*)::integer as members
      from sleeves where status in ('joining', 'leaving', 'pausing', 'resuming') group by pool`
  return new Map(
    sums.map(({ pool, joiners, cash, leavers, units, holders, base, ...counts }) => [
      pool,
      {
        ...counts,
        joining: { cash, members: joiners },
        leaving: { units: BigInt(units), members: leavers },
        own: { base, members: holders },
      },
    ]),
  )
}

/** Lots of at most this many members list their users, so that only their browsers refetch. */
export const NAMED = 100

export async function findMovers(
  tx: Queries,
  pools: readonly number[],
): Promise<Map<number, string[]>> {
  const movers = new Map<number, string[]>()
  if (pools.length === 0) return movers
  const moving = await tx<{ pool: number; userId: string }[]>`
    select distinct pool, user_id from sleeves
     where status in ('joining', 'leaving', 'pausing', 'resuming')
       and pool = any(${[...pools]}::smallint[])`
  for (const { pool, userId } of moving) movers.set(pool, [...(movers.get(pool) ?? []), userId])
  return movers
}

/** The users whose sleeves move in `pools`; undefined if a pool's users are not listed. */
export function usersOf(
  pools: readonly number[],
  movers: ReadonlyMap<number, string[]>,
): string[] | undefined {
  if (!pools.every((pool) => movers.has(pool))) return undefined
  return pools.flatMap((pool) => movers.get(pool) ?? [])
}
