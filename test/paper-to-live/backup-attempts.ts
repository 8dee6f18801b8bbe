import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readConfig } from '#server/settings/config.ts'
import { checkBook } from '#server/db/check-book.ts'
import { backup } from '#server/ops/backup/backup.ts'
import { restore } from '#server/ops/backup/restore.ts'
import { flipped, putTogether, takeApart, type BackupBytes } from '../world/backup-bytes.ts'
import { createTestDatabase } from '../world/database.ts'
import type { Attempt } from './attempt.ts'
import { liveSettings, openOffline, type Copy } from './books.ts'
import { pattern } from '../world/pattern.ts'

/**
 * Makes a backup of the copy, changes its bytes, and restores it into an empty database of the
 * given settings.
 */
async function restored(
  copy: Copy,
  change: (bytes: BackupBytes) => BackupBytes,
  settings: Record<string, string> = {},
): Promise<string> {
  const file = join(copy.dataDir, 'book.backup')
  await backup(copy.context, [file])
  await writeFile(file, putTogether(change(takeApart(await readFile(file)))))
  return restoreFile(copy, file, settings)
}

async function restoreFile(
  copy: Copy,
  file: string,
  settings: Record<string, string>,
): Promise<string> {
  const empty = await createTestDatabase()
  try {
    const config = {
      ...copy.config,
      ...(Object.keys(settings).length > 0 &&
        readConfig({ ...settings, DATA_DIR: join(copy.dataDir, 'restored') })),
    }
    const book = await checkBook(empty.sql, config)
    return (await restore(openOffline(book, config), [file])).lines.join('\n')
  } finally {
    await empty.drop()
  }
}

const altered = (
  deed: string,
  change: (bytes: BackupBytes) => BackupBytes,
  refused: RegExp,
): Attempt => ({ deed, refused, carryOut: (copy) => restored(copy, change) })

const namesOf = ({ records }: BackupBytes, name: string) =>
  records.filter((record) => record.name === name)

/** Backups of a live book, changed before they are restored. */
export const BACKUP_ATTEMPTS: readonly Attempt[] = [
  altered(
    '40: the words of the book in a backup are changed',
    (bytes) => flipped(bytes, 'book'),
    /book\.backup was altered in line 1 of book\. Nothing was restored\.$/,
  ),
  altered(
    'the header of a backup is changed',
    (bytes) => flipped(bytes, 'header'),
    /was altered in line 1 of header\. Nothing was restored\.$/,
  ),
  altered(
    'the users in a backup are changed',
    (bytes) => flipped(bytes, 'users'),
    /was altered in line 1 of users\. Nothing was restored\.$/,
  ),
  altered(
    'the manifest of a backup is changed',
    (bytes) => flipped(bytes, 'manifest'),
    /was altered in line 1 of manifest\. Nothing was restored\.$/,
  ),
  altered(
    'a table is left out of a backup',
    (bytes) => ({ ...bytes, records: bytes.records.filter(({ name }) => name !== 'audit_events') }),
    /was altered in line 1 of [a-z_]+\. Nothing was restored\.$/,
  ),
  altered(
    'two tables of a backup change places',
    (bytes) => ({
      ...bytes,
      records: [
        ...namesOf(bytes, 'header'),
        ...bytes.records.filter(({ name }) => name !== 'header').toReversed(),
      ],
    }),
    /was altered in line 1 of manifest\. Nothing was restored\.$/,
  ),
  altered(
    'a table is in a backup twice',
    (bytes) => ({
      ...bytes,
      records: bytes.records.flatMap((record) =>
        record.name === 'users' ? [record, record] : [record],
      ),
    }),
    /was altered in line 2 of users\. Nothing was restored\.$/,
  ),
  altered(
    'a backup ends before its manifest',
    (bytes) => ({ ...bytes, records: bytes.records.slice(0, -1) }),
    /is cut off before its manifest\. Nothing was restored\.$/,
  ),
  altered(
    'a backup ends in the middle of a table',
    (bytes) => ({
      ...bytes,
      records: bytes.records
        .slice(0, 3)
        .map((record, index) =>
          index === 2 ? { ...record, bytes: record.bytes.subarray(0, -9) } : record,
        ),
    }),
    /is cut off in line 1 of [a-z_]+\. Nothing was restored\.$/,
  ),
  altered(
    'a table takes the name of another',
    (bytes) => ({
      ...bytes,
      records: bytes.records.map((record) =>
        record.name === 'users'
          ? {
              ...record,
              bytes: Buffer.from(
                record.bytes.toString('latin1').replace('users', 'userz'),
                'latin1',
              ),
            }
          : record,
      ),
    }),
    /was altered in line 1 of userz\. Nothing was restored\.$/,
  ),
  altered(
    'something is added after the manifest',
    (bytes) => ({ ...bytes, records: [...bytes.records, ...namesOf(bytes, 'users')] }),
    /was altered in line 1 of users\. Nothing was restored\.$/,
  ),
  {
    deed: 'the users of an earlier backup of the same book are put into a later one',
    refused: /was altered in line 1 of users\. Nothing was restored\.$/,
    carryOut: async (copy) => {
      const earlier = join(copy.dataDir, 'earlier.backup')
      await backup(copy.context, [earlier])
      const users = takeApart(await readFile(earlier)).records.find(({ name }) => name === 'users')
      return restored(copy, (bytes) => ({
        ...bytes,
        records: bytes.records.map((record) => (record.name === 'users' && users ? users : record)),
      }))
    },
  },
  {
    deed: 'a backup is restored with the secret of another installation',
    refused: pattern(
      /was encrypted with another SESSION_SECRET: set the one that belongs to it\. /,
      /Nothing was restored\.$/,
    ),
    carryOut: (copy) =>
      restored(copy, (bytes) => bytes, {
        ...liveSettings(copy.stripe.url, copy.dataDir),
        SESSION_SECRET: 'm'.repeat(32),
      }),
  },
  {
    deed: 'a backup is restored into a book that is in use',
    refused: /^This database already has users: restore into an empty one\.$/,
    carryOut: async (copy) => {
      const file = join(copy.dataDir, 'book.backup')
      await backup(copy.context, [file])
      return (await restore(copy.context, [file])).lines.join('\n')
    },
  },
  {
    deed: 'a book with a forged row is backed up, so that a restore would begin a new chain',
    refused: /^StartupError: A seal of this book is broken/,
    carryOut: async (copy) => {
      await copy.pastTriggers("delete from audit_events where action = 'withdrawal.approve'")
      return restored(copy, (bytes) => bytes)
    },
  },
]

/** Backups of a paper book. */
export const PAPER_BACKUP_ATTEMPTS: readonly Attempt[] = [
  {
    deed: '39: a backup of a paper book is restored as live',
    refused: pattern(
      /book\.backup is of a paper book and BOOK=live: /,
      /a book never changes its kind\. Nothing was restored\.$/,
    ),
    carryOut: (copy) =>
      restored(copy, (bytes) => bytes, liveSettings(copy.stripe.url, copy.dataDir)),
  },
]
