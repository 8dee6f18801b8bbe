import { createReadStream, createWriteStream } from 'node:fs'
import { once } from 'node:events'
import { rename } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip, type Gzip } from 'node:zlib'
import { assert } from '#core/assert.ts'
import { Refusal } from '#core/refusal.ts'
import { atomically, atOneMoment } from '#server/db/atomically.ts'
import type { Queries, Sql } from '#server/db/open.ts'
import { reconcile } from '#server/ledger/reconcile.ts'
import { writeAudit } from './audit.ts'
import type { Command } from './command.ts'

/** What belongs to the installation, not to the book. */
const LEFT_OUT = ['schema_migrations', 'throttles']
const BATCH_ROWS = 1_000

async function tablesOf(sql: Queries): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select relname as name from pg_class
     where relkind = 'r' and relnamespace = 'public'::regnamespace and relname <> all(${LEFT_OUT}) order by relname`
  return rows.map(({ name }) => name)
}

async function schemaOf(sql: Queries): Promise<string> {
  const rows = await sql<{ name: string }[]>`select name from schema_migrations order by name`
  return rows.map(({ name }) => name).join(' ')
}

/** Everything at one moment into one gzipped file: a line with the schema's name, then lines of `["table", row, row, …]`. */
export const backup: Command = async (context, [file = '']) => {
  if (file === '') throw new Refusal('invalid-input', { sentence: 'Name the file to write: npm run ops -- backup FILE' })
  const gzip = createGzip()
  const written = pipeline(gzip, createWriteStream(`${file}.part`, { mode: 0o600 }))
  let begun = false
  await atOneMoment(context.sql, async (tx) => {
    // The database went away half-way: what is written cannot be taken back, so no second run may follow it.
    assert(!begun, 'a backup is written in one go: the database went away, start it again')
    begun = true
    gzip.write(`${JSON.stringify({ schema: await schemaOf(tx) })}\n`)
    for (const table of await tablesOf(tx)) await writeTable({ tx, table, gzip })
  })
  gzip.end()
  await written
  await rename(`${file}.part`, file)
  await audit(context, 'backup', file)
  return { lines: [`Written to ${file}. Keep SESSION_SECRET with it: bank account numbers are sealed with it.`], ok: true }
}

async function writeTable({ tx, table, gzip }: { tx: Queries; table: string; gzip: Gzip }): Promise<void> {
  for await (const rows of tx<{ row: string }[]>`select row_to_json(t)::text as row from ${tx(table)} t`.cursor(BATCH_ROWS)) {
    const line = `[${[JSON.stringify(table), ...rows.map(({ row }) => row)].join(',')}]\n`
    if (!gzip.write(line)) await once(gzip, 'drain')
  }
}

/** Into an empty database only, in one transaction, and reconciled afterwards. */
export const restore: Command = async (context, [file = '']) => {
  if (file === '') throw new Refusal('invalid-input', { sentence: 'Name the file to read: npm run ops -- restore FILE' })
  await refuseUsed(context.sql)
  await atomically(context.sql, async (tx) => {
    await tx`set local session_replication_role = replica`
    for (const table of await tablesOf(tx)) await tx`delete from ${tx(table)}`
    // Opened only now: lines that come before anybody listens are lost.
    for await (const line of createInterface({ input: createReadStream(file).pipe(createGunzip()) })) await readLine(tx, line)
    await tx`select setval(pg_get_serial_sequence('ledger_accounts', 'id'), (select coalesce(max(id), 1) from ledger_accounts))`
  })
  await audit(context, 'restore', file)
  const differences = await reconcile(context.sql)
  if (differences.length === 0) return { lines: ['Restored, and the book is in order.'], ok: true }
  return { lines: differences.map(({ check, subject }) => `DIFFERS  ${check}: ${subject}`), ok: false }
}

async function refuseUsed(sql: Sql): Promise<void> {
  const rows = await sql`select from users limit 1`
  if (rows.length > 0) throw new Refusal('invalid-input', { sentence: 'This database has users already: restore into an empty one.' })
}

/** The rows travel as text from end to end: bigint amounts never become floats. */
async function readLine(tx: Queries, line: string): Promise<void> {
  const header = /^\["([a-z_]+)",/.exec(line)
  if (header === null) {
    const { schema } = JSON.parse(line) as { schema?: string }
    if (schema === (await schemaOf(tx))) return
    throw new Refusal('invalid-input', { sentence: 'This backup was made by another version: restore it with that version, then upgrade.' })
  }
  const [start, table = ''] = header
  const rows = `[${line.slice(start.length)}`
  await tx`
    insert into ${tx(table)} overriding system value
    select * from jsonb_populate_recordset(null::${tx(table)}, ${rows}::text::jsonb)`
}

async function audit(context: Parameters<Command>[0], action: string, file: string): Promise<void> {
  const actor = `operator:${context.config.OPERATOR ?? 'unnamed'}`
  await writeAudit(context.sql, { id: context.newId(), actor, action, subject: file, details: {} })
}
