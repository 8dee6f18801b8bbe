import { required } from '#core/assert.ts'
import { Refusal } from '#core/refusal.ts'
import { findArchivedMonths, manifestOf } from '#server/archive/archived-months.ts'
import { ARCHIVED_NAMES } from '#server/archive/tables.ts'
import { auditCommand } from '#server/audit.ts'
import { codeOf } from '#server/code-of.ts'
import type { Context } from '#server/context.ts'
import { openMonths } from '#server/db/months.ts'
import { part } from '#server/db/statement.ts'
import { sealNow } from '#server/ledger/guard-seals.ts'
import { reconcile } from '#server/ledger/reconcile.ts'
import { refusalOfFile } from '../backup/tables.ts'
import type { UnattendedCommand } from '../command.ts'
import { letMonthLeave } from './let-month-leave.ts'
import { findPartition } from './rows-of-month.ts'
import { writeMonth } from './write-month.ts'

/** Lets a month of entries, fees and stays leave for files. It can be run again after any crash. */
export const archiveCommand: UnattendedCommand = async (context, [month = '']) => {
  const { sql } = context
  if (sql.isDistributed)
    throw refusal('This database is distributed over several nodes: its months stay.')
  refuseYoung(context, month)
  const { folder } = required(sql.archive, 'the archive is open')
  const [gone] = await findArchivedMonths(sql, part`m.month = ${`${month}-01`}`)
  if (gone) return { lines: [`${month} has left already: its files are in ${folder}.`], ok: true }
  // Rows that came before their partition are moved into it first.
  await openMonths(context)
  await refuseMissing(context, month)
  await sealNow(context)
  const [difference] = await reconcile(sql)
  if (difference)
    throw refusal(
      `The book is out of order (${difference.check}: ${difference.subject}): nothing leaves ` +
        'it before npm run ops -- reconcile finds nothing.',
    )
  const stored = await writeMonth(sql, { month, folder }).catch((error: unknown) => {
    throw refusalOfFile(error, folder) ?? error
  })
  await letMonthLeave(sql, stored).catch((error: unknown) => {
    if (LOCKED.has(codeOf(error)))
      throw refusal(
        'The tables are in use: run the command again, best at a quiet hour. Nothing has left ' +
          'the database.',
      )
    throw error
  })
  const { files } = manifestOf(stored, required(sql.seals, 'the book is open'))
  await auditCommand(context, { action: 'archive', subject: month })
  const rows = files.reduce((sum, file) => sum + file.rows, 0).toLocaleString('en')
  return {
    lines: [
      `${month} has left the database: ${rows} rows are in ${folder}, in ` +
        `${files.map(({ name }) => name).join(', ')}. Copy them with ${month}.json to where the ` +
        'backups are: without them, the book is not complete.',
    ],
    ok: true,
  }
}

/** A lock that was not available in time, and a deadlock. */
const LOCKED = new Set(['55P03', '40P01'])

const refusal = (sentence: string): Refusal => new Refusal('invalid-input', { sentence })

function refuseYoung(
  { config: { ARCHIVE_AFTER_MONTHS: least }, now }: Context,
  month: string,
): void {
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(month))
    throw refusal('Give the month as YYYY-MM: npm run ops -- archive MONTH')
  const today = now()
  const newest = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - least - 1))
    .toISOString()
    .slice(0, 7)
  if (month > newest)
    throw refusal(
      `${month} is younger than ${least} ${least === 1 ? 'month' : 'months'}: ${newest} is ` +
        'the newest that may leave (ARCHIVE_AFTER_MONTHS).',
    )
}

async function refuseMissing({ sql }: Context, month: string): Promise<void> {
  const partitions = await Promise.all(
    ARCHIVED_NAMES.map((table) => findPartition(sql, { table, month })),
  )
  if (partitions.every((partition) => partition === undefined))
    throw refusal(`This book has no rows of ${month}.`)
}
