import { join } from 'node:path'
import { findArchivedMonths } from '#server/archive/archived-months.ts'
import { openArchive } from '#server/archive/parquet-file.ts'
import { atOneMoment } from '#server/db/atomically.ts'
import type { Sql } from '#server/db/open.ts'
import { faultOfMonth } from '#server/ledger/check-seals.ts'
import { openSeals, type BookIdentity } from '#server/seal.ts'
import type { Settings } from '#server/settings.ts'
import { ok, wrong, type Finding } from './finding.ts'

/** Compares the files of months that have left with their manifests. */
export async function examineArchive(
  sql: Sql,
  { settings: { ARCHIVE_DIR, DATA_DIR }, secret }: { settings: Settings; secret: string },
): Promise<Finding> {
  const [schema] = await sql<
    { isOlder: boolean }[]
  >`select to_regclass('public.archived_months') is null as is_older`
  if (schema?.isOlder !== false)
    return ok(
      'archive',
      'not checked: this book was made by an older version; the next start will upgrade it',
    )
  const months = await findArchivedMonths(sql)
  const [book] = await sql<BookIdentity[]>`select id, kind from book`
  if (months.length === 0 || !book) return ok('archive', 'no month has left the database')
  sql.archive ??= openArchive(ARCHIVE_DIR ?? join(DATA_DIR, 'archive'))
  const seals = openSeals({ secret, book })
  for (const month of months) {
    const fault = await atOneMoment(sql, (tx) => faultOfMonth(tx, month, seals))
    if (fault !== undefined)
      return wrong(
        'archive',
        `${month.month}: ${fault}. Put the file back from where the backups are`,
      )
  }
  return ok(
    'archive',
    `the files of ${months.length} ${months.length === 1 ? 'month' : 'months'} are there, as ` +
      'they were written',
  )
}
