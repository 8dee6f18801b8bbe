import { createWriteStream, type WriteStream } from 'node:fs'
import { once } from 'node:events'
import { access, link, rename, rm } from 'node:fs/promises'
import { assert } from '#core/assert.ts'
import { Refusal } from '#core/refusal.ts'
import { auditCommand } from '#server/security/audit.ts'
import { codeOf } from '#server/kernel/errors.ts'
import type { Context } from '#server/context.ts'
import { atomically, atOneMoment } from '#server/db/atomically.ts'
import { isDistributed } from '#server/db/distribution/users-tables.ts'
import type { Sql } from '#server/db/open.ts'
import type { Queries } from '#server/db/statement.ts'
import { refuseBrokenSeals, sealNow } from '#server/ledger/guard-seals.ts'
import { done, refusal, type UnattendedCommand } from '../command.ts'
import {
  HEADER,
  MANIFEST,
  manifestMaker,
  type Header,
  keptColumnsOf,
  refusalOfFile,
  schemaOf,
  tablesOf,
} from './manifest.ts'
import { recordWriter } from './sealed-file.ts'

const BATCH_ROWS = 1_000

/** Refuses a book with a broken seal, because a restore would hide the deleted rows. */
export const backup: UnattendedCommand = async (context, [file = '']) => {
  if (file === '') throw refusal('Give the file to write: npm run ops -- backup FILE')
  if (
    await access(file).then(
      () => true,
      () => false,
    )
  )
    throw existing(file)
  await sealNow(context)
  await refuseBrokenSeals(context, 'all')
  const draft = `${file}.part`
  try {
    const out = createWriteStream(draft, { mode: 0o600, flush: true })
    await once(out, 'open')
    await Promise.race([
      writeBook(context, out),
      once(out, 'error').then(([error]: unknown[]) => Promise.reject(error)),
    ])
    await new Promise<void>((resolve, reject) => void out.once('error', reject).end(resolve))
    await putInPlace(draft, file)
  } catch (error) {
    await rm(draft, { force: true })
    throw refusalOfFile(error, file) ?? error
  }
  await auditCommand(context, { action: 'backup', subject: file })
  return done(
    `Written to ${file}. It can be read only with this SESSION_SECRET: keep a copy of the ` +
      'secret, but not beside the backup.',
  )
}

/**
 * A hard link never overwrites a file that another backup finished meanwhile. Some file systems
 * have no links.
 */
async function putInPlace(draft: string, file: string): Promise<void> {
  try {
    await link(draft, file)
    await rm(draft)
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw existing(file)
    await rename(draft, file)
  }
}

function existing(file: string): Refusal {
  return refusal(`${file} exists already: a backup replaces no file. Give the name of a new one.`)
}

async function writeBook({ sql, seals, config, now }: Context, out: WriteStream): Promise<void> {
  const write = recordWriter(out, config.SESSION_SECRET)
  let begun = false
  await atOneQuietMoment(sql, async (tx) => {
    // Not retried after a lost connection, because a retry would append to the records already
    // written.
    assert(!begun, 'the connection to the database was lost during the backup: run it again')
    begun = true
    const header: Header = {
      schema: await schemaOf(tx),
      book: seals.book,
      madeAt: now().toISOString(),
    }
    await write({ name: HEADER, text: JSON.stringify(header) })
    const { add, manifest } = manifestMaker()
    for (const table of await tablesOf(tx)) {
      await writeTable(tx, table, async (rows) => {
        const text = `[${rows.join(',')}]`
        add(table, { rows: rows.length, text })
        await write({ name: table, text })
      })
    }
    await write({ name: MANIFEST, text: JSON.stringify(manifest()) })
  })
}

/** Blocks writes until a distributed book is read, because its nodes have no common snapshot. */
async function atOneQuietMoment(sql: Sql, work: (tx: Queries) => Promise<void>): Promise<void> {
  if (!(await isDistributed(sql))) return atOneMoment(sql, work)
  return atomically(sql, async (tx) => {
    const names = await tablesOf(tx)
    for (const name of names) await tx`lock table ${tx(name)} in share mode`
    await work(tx)
  })
}

async function writeTable(
  tx: Queries,
  table: string,
  write: (rows: string[]) => Promise<void>,
): Promise<void> {
  const columns = await keptColumnsOf(tx, table)
  assert(
    columns.every((name) => /^[a-z0-9_]+$/.test(name)),
    'the names of columns are words',
  )
  // Each value is written with its name, because the nodes of a distributed database lose the names
  // of a row.
  await tx.unsafe(
    'declare of_table cursor for select ' +
      `json_build_object(${columns.map((name) => `'${name}', "${name}"`).join(', ')})::text as ` +
      `row from "${table}"`,
  )
  for (;;) {
    const rows = await tx.unsafe<{ row: string }[]>(`fetch ${BATCH_ROWS} from of_table`)
    if (rows.length === 0) break
    await write(rows.map(({ row }) => row))
  }
  await tx`close of_table`
}
