import type { Sql } from '#server/db/open.ts'

/** The work of PostgreSQL on a table between two readings. */
export type Work = { rowsRead: number; rowsWritten: number }

type Counts = { read: bigint; written: bigint }

/** Rows of `table` that the statements of `work` read and wrote, as the database counts them. */
export async function workOn(sql: Sql, table: string, work: () => Promise<void>): Promise<Work> {
  const before = await countsOf(sql, table)
  await work()
  const after = await countsOf(sql, table)
  return {
    rowsRead: Number(after.read - before.read),
    rowsWritten: Number(after.written - before.written),
  }
}

async function countsOf(sql: Sql, table: string): Promise<Counts> {
  // Connections flush their counts only now and then, so this forces each of them by a query.
  const { count } = await sql`select from pg_stat_activity where datname = current_database()`
  await Promise.all(
    Array.from({ length: count }, () => sql`select pg_stat_force_next_flush(), pg_sleep(0.05)`),
  )
  const [row] = await sql<Counts[]>`
    select (seq_tup_read + coalesce(idx_tup_fetch, 0))::bigint as read,
           (n_tup_ins + n_tup_upd + n_tup_del)::bigint as written
      from pg_stat_user_tables where relname = ${table}`
  if (!row) throw new Error(`there is no table ${table}`)
  return row
}
