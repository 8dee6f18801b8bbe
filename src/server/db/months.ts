import { atomically } from './atomically.ts'
import { allowTriggers } from './distribution/distribute.ts'
import type { Sql } from './open.ts'
import type { Queries } from './statement.ts'

/**
 * Makes the partitions of this month and the next. An id must find one before its month begins;
 * until then its row lies in the rest.
 */
export async function openMonths({ sql }: { sql: Sql }): Promise<void> {
  await atomically(sql, openMonthsIn)
}

/** The same in the caller's transaction. */
export async function openMonthsIn(tx: Queries): Promise<void> {
  if (tx.isDistributed) await allowTriggers(tx)
  await tx`select open_months()`
}

/** Updates what the planner knows about tables of partitions. */
export async function countMonths({ sql }: { sql: Queries }): Promise<void> {
  await sql`select count_months()`
}

/**
 * The tables with rows in the partition for ids of no month; undefined in a book of an older
 * version.
 */
export async function findStrayTables(sql: Queries): Promise<string[] | undefined> {
  const [schema] = await sql<
    { isOlder: boolean }[]
  >`select to_regclass('public.ledger_entries_rest') is null as is_older`
  if (schema?.isOlder !== false) return undefined
  const rows = await sql<{ name: string }[]>`
    select 'ledger_entries' as name where exists (select 1 from ledger_entries_rest)
    union all select 'platform_fees' where exists (select 1 from platform_fees_rest)
    union all select 'sleeve_stays' where exists (select 1 from sleeve_stays_rest)`
  return rows.map(({ name }) => name)
}
