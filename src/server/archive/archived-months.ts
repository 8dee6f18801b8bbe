import { createHash } from 'node:crypto'
import { required } from '#core/assert.ts'
import type {
  Archive,
  ArchivedFile,
  ArchivedRow,
  ArchivedSpan,
  ArchivedTable,
} from '#server/db/archive.ts'
import { part, type Fragment, type Queries } from '#server/db/statement.ts'
import { contentOfArchivedMonth, type Seals } from '#server/seal.ts'
import { ArchiveFault } from './archive-fault.ts'

/**
 * A sealed manifest of a month: its files, the sums of its entries, and the hash of the sums that
 * were carried forward.
 */
export type Manifest = {
  book: string
  month: string
  files: readonly ArchivedFile[]
  sums: readonly { code: string; asset: string; entries: string; given: string; taken: string }[]
  carried: string
}

/** Ids of its rows are from `firstId` up to `endId`. */
export type ArchivedMonth = SealedManifest & { firstId: string; endId: string }
export type SealedManifest = { month: string; manifest: string; seal: string }

export async function findArchivedMonths(
  sql: Queries,
  where: Fragment = part`true`,
): Promise<ArchivedMonth[]> {
  return sql<
    ArchivedMonth[]
  >`select to_char(m.month, 'YYYY-MM') as month, m.first_id, m.end_id, m.manifest, m.seal
    from archived_months m where ${where} order by m.month`
}

/** Reads a manifest, which must be the one that was sealed. Throws `ArchiveFault`. */
export function manifestOf({ month, manifest, seal }: SealedManifest, seals: Seals): Manifest {
  if (!seals.fits(seal, 'archived month', contentOfArchivedMonth(manifest)))
    throw new ArchiveFault(`the manifest of ${month} is not as it was sealed`)
  return JSON.parse(manifest) as Manifest
}

export const fileOf = ({ files }: Manifest, table: ArchivedTable): ArchivedFile =>
  required(
    files.find((file) => file.table === table),
    'a manifest names a file for each table',
  )

/** The months in which rows of a user have left. */
const MONTHS_WITH: Readonly<Record<ArchivedTable, (userId: string) => Fragment>> = {
  ledger_entries: (userId) =>
    part`exists (select 1 from archived_entries e where e.user_id = ${userId} and e.month = m.month)`,
  platform_fees: (userId) =>
    part`exists (select 1 from archived_fees f where f.user_id = ${userId} and f.month = m.month)`,
  sleeve_stays: (userId) =>
    part`exists (select 1 from archived_stays s where s.user_id = ${userId} and s.month = m.month)`,
}

async function findMonthsOf(sql: Queries, { table, userId }: Asked): Promise<ArchivedMonth[]> {
  // A question of its own, which a distributed database answers without asking a node.
  const [any] = await sql`select 1 as any from archived_months limit 1`
  return any ? findArchivedMonths(sql, MONTHS_WITH[table](userId)) : []
}

/** The table itself, or rows in its place that also have the archived ones. */
const SOURCES: Readonly<
  Record<ArchivedTable, { table: Fragment; withRows: (rows: string) => Fragment }>
> = {
  ledger_entries: {
    table: part`ledger_entries`,
    withRows: (rows) => part`(
      select user_id, transfer_id, account_id, asset, amount from ledger_entries
      union all select * from jsonb_to_recordset(${rows}::text::jsonb) as archived (user_id uuid,
            transfer_id uuid, account_id bigint, asset text, amount bigint))`,
  },
  platform_fees: {
    table: part`platform_fees`,
    withRows: (rows) => part`(
      select user_id, bot_id, id, user_profit, fee_amount, fee_bps, trade, created_at
        from platform_fees
      union all select * from jsonb_to_recordset(${rows}::text::jsonb)
        as archived (user_id uuid, bot_id uuid, id uuid, user_profit bigint, fee_amount bigint,
           fee_bps integer, trade uuid, created_at timestamptz))`,
  },
  sleeve_stays: {
    table: part`sleeve_stays`,
    withRows: (rows) => part`(
      select user_id, bot_id, pool, joined, began, ended, left_with, units, offered, redeemed, paid,
             paid_base, cash_out, base_out from sleeve_stays
      union all select * from jsonb_to_recordset(${rows}::text::jsonb)
        as archived (user_id uuid, bot_id uuid, pool smallint, joined bigint, began uuid,
           ended uuid, left_with bigint, units numeric, offered bigint, redeemed numeric,
           paid bigint, paid_base bigint,
                     cash_out bigint, base_out bigint))`,
  },
}

type Asked = { table: ArchivedTable; userId: string }

/**
 * Reads rows of a user from a table some of whose months may have left: `read` gets what stands for
 * the table. It is read until no further month has left meanwhile: one that leaves afterwards was
 * in the table, and one that left before is found.
 */
export async function readWithArchive<Result>(
  sql: Queries,
  { table, userId }: Asked,
  read: (source: Fragment) => Promise<Result>,
): Promise<Result> {
  for (let months: readonly ArchivedMonth[] = []; ;) {
    const found = await read(
      months.length === 0 ? SOURCES[table].table : await withRowsOf(sql, { table, userId, months }),
    )
    const left = await findMonthsOf(sql, { table, userId })
    if (left.length === months.length) return found
    months = left
  }
}

async function withRowsOf(
  sql: Queries,
  { table, userId, months }: Asked & { months: readonly ArchivedMonth[] },
): Promise<Fragment> {
  const seals = required(sql.seals, 'the book is open')
  const rows = await archivedRowsOf(sql, {
    table,
    span: { from: userId, to: userId },
    months: months.map((month) => manifestOf(month, seals)),
  })
  return SOURCES[table].withRows(JSON.stringify(rows))
}

type Spanned = { table: ArchivedTable; span: ArchivedSpan; months: readonly Manifest[] }

/** The rows that have left, month by month. */
export async function archivedRowsOf(
  sql: Queries,
  { table, span, months }: Spanned,
): Promise<ArchivedRow[]> {
  const archive = required(sql.archive, 'the archive is open')
  const rows: ArchivedRow[] = []
  for (const month of months) rows.push(...(await archive.rowsOf(fileOf(month, table), span)))
  return rows
}

/**
 * The hash of the sums of a month as they are carried forward in this database, for the tables of
 * which it has a file.
 */
export async function hashOfCarried(
  tx: Queries,
  { month, files }: Pick<Manifest, 'month' | 'files'>,
): Promise<string> {
  return hashOfLines(async function* lines() {
    for (const { table } of files) yield* portionsOf(tx, CARRIED[table](`${month}-01`))
  })
}

const CARRIED: Readonly<Record<ArchivedTable, (month: string) => Fragment>> = {
  ledger_entries: (month) =>
    part`select concat_ws(' ', user_id, account_id, entries, given, taken) as line
      from archived_entries where month = ${month} order by user_id, account_id`,
  platform_fees: (month) =>
    part`select concat_ws(' ', user_id, bot_id, fees, fee_amount) as line from archived_fees
      where month = ${month} order by user_id, bot_id`,
  sleeve_stays: (month) =>
    part`select concat_ws(' ', user_id, bot_id, stays, paid, cash_out) as line from archived_stays
      where month = ${month} order by user_id, bot_id`,
}

async function* portionsOf(tx: Queries, statement: Fragment): AsyncGenerator<string[]> {
  await tx`declare of_sums cursor for ${statement}`
  for (;;) {
    const rows = await tx<{ line: string }[]>`fetch 5000 from of_sums`
    if (rows.length === 0) break
    yield rows.map(({ line }) => line)
  }
  await tx`close of_sums`
}

/** The same of the files. */
export async function hashOfSums(
  archive: Archive,
  files: readonly ArchivedFile[],
): Promise<string> {
  return hashOfLines(async function* lines() {
    for (const file of files) yield* archive.sumsOf(file)
  })
}

async function hashOfLines(portions: () => AsyncIterable<string[]>): Promise<string> {
  const hash = createHash('sha256')
  for await (const lines of portions()) for (const line of lines) hash.update(`${line}\n`)
  return hash.digest('hex')
}
