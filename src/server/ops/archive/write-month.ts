import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { required } from '#core/assert.ts'
import { hashOfSums, type SealedManifest, type Manifest } from '#server/archive/archived-months.ts'
import { flush, openArchive, writeParquet } from '#server/archive/parquet-file.ts'
import { ARCHIVED_NAMES } from '#server/archive/tables.ts'
import type { ArchivedFile, ArchivedTable } from '#server/db/archive.ts'
import { atOneMoment } from '#server/db/atomically.ts'
import type { Sql } from '#server/db/open.ts'
import type { Queries } from '#server/db/statement.ts'
import { contentOfArchivedMonth } from '#server/seal.ts'
import { findPartition, rowsOfPartition } from './rows-of-month.ts'

/**
 * Writes the files of a month and its sealed manifest. Nothing leaves the database yet: a run that
 * is killed here leaves files that the next run replaces. A file has its name only once its bytes
 * are on the disk.
 */
export async function writeMonth(
  sql: Sql,
  { month, folder }: { month: string; folder: string },
): Promise<SealedManifest> {
  const seals = required(sql.seals, 'the book is open')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const manifest = await atOneMoment(sql, async (tx): Promise<Manifest> => {
    const files: ArchivedFile[] = []
    for (const table of ARCHIVED_NAMES) files.push(await writeFileOf(tx, { table, month, folder }))
    const carried = await hashOfSums(openArchive(folder), files)
    return { book: seals.book.id, month, files, sums: await sumsOf(tx, month), carried }
  })
  const text = JSON.stringify(manifest)
  const seal = seals.sealOf('archived month', contentOfArchivedMonth(text))
  const path = join(folder, `${month}.json`)
  await writeFile(`${path}.part`, `${JSON.stringify({ manifest, seal }, undefined, 2)}\n`, {
    mode: 0o600,
    flush: true,
  })
  await rename(`${path}.part`, path)
  await flush(folder)
  return { month, manifest: text, seal }
}

async function writeFileOf(
  tx: Queries,
  { table, month, folder }: { table: ArchivedTable; month: string; folder: string },
): Promise<ArchivedFile> {
  const partition = await findPartition(tx, { table, month })
  const name = `${table}-${month}.parquet`
  const { rows, sha256 } = await writeParquet(join(folder, name), {
    table,
    rows: rowsOfPartition(tx, { table, partition }),
  })
  return { table, name, rows, sha256 }
}

/**
 * The sums of the product's accounts, for people and programs that read the files without the book.
 */
async function sumsOf(tx: Queries, month: string): Promise<Manifest['sums']> {
  const partition = await findPartition(tx, { table: 'ledger_entries', month })
  if (partition === undefined) return []
  return tx<Manifest['sums'][number][]>`
    select a.code, a.asset, count(*)::text as entries, sum(greatest(e.amount, 0))::text as given,
           sum(least(e.amount, 0))::text as taken
      from ${tx(partition)} e join ledger_accounts a on a.user_id = e.user_id
       and a.id = e.account_id group by a.code, a.asset order by a.code, a.asset`
}
