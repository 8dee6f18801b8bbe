import { ARCHIVED_TABLES } from '#server/archive/tables.ts'
import type { ArchivedTable } from '#server/db/archive.ts'
import { part, type Fragment, type Queries } from '#server/db/statement.ts'

/** The partition of a month, undefined if the table has none. */
export async function findPartition(
  sql: Queries,
  { table, month }: { table: ArchivedTable; month: string },
): Promise<string | undefined> {
  const name = `${table}_${month.replace('-', '_')}`
  const [row] = await sql<
    { isThere: boolean }[]
  >`select to_regclass(${`public.${name}`}) is not null as is_there`
  return row?.isThere === true ? name : undefined
}

/** The rows of a partition as texts, in the order of the table's key and of the file's columns. */
export async function* rowsOfPartition(
  tx: Queries,
  { table, partition }: { table: ArchivedTable; partition: string | undefined },
): AsyncGenerator<(string | null)[][]> {
  if (partition === undefined) return
  const { columns, order } = ARCHIVED_TABLES[table]
  const [first = part``, ...others] = Object.keys(columns).map((name) => textOf(tx, name))
  const cells = others.reduce((list, cell) => part`${list}, ${cell}`, first)
  await tx`declare of_month cursor for select array[${cells}] as cells from ${tx(partition)}
    order by ${tx(order)}`
  for (;;) {
    const rows = await tx<{ cells: (string | null)[] }[]>`fetch 5000 from of_month`
    if (rows.length === 0) break
    yield rows.map(({ cells: row }) => row)
  }
  await tx`close of_month`
}

/** A time is written with its zone, whatever that of the connection is. */
function textOf(tx: Queries, column: string): Fragment {
  return column === 'created_at'
    ? part`to_char(created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US') || '+00'`
    : part`${tx(column)}::text`
}
