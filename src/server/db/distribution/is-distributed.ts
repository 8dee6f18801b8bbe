import type { Queries } from '../statement.ts'

/** Whether the tables of users are distributed over the nodes of a Citus cluster. */
export async function isDistributed(sql: Queries): Promise<boolean> {
  const [citus] = await sql<
    { isThere: boolean }[]
  >`select to_regclass('pg_dist_partition') is not null
    and to_regclass('users') is not null as is_there`
  if (citus?.isThere !== true) return false
  const rows = await sql`select from pg_dist_partition where logicalrelid = 'users'::regclass`
  return rows.count > 0
}
