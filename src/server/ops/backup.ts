import { createReadStream, createWriteStream } from 'node:fs'
import { once } from 'node:events'
import { access, link, rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip, type Gzip } from 'node:zlib'
import { assert } from '#core/assert.ts'
import { Refusal } from '#core/refusal.ts'
import { auditCommand } from '#server/audit.ts'
import { codeOf } from '#server/code-of.ts'
import { atomically, atOneMoment } from '#server/db/atomically.ts'
import type { Sql } from '#server/db/open.ts'
import type { Queries } from '#server/db/statement.ts'
import { reconcile } from '#server/ledger/reconcile.ts'
import type { Command } from './command.ts'
import { secretFits } from './secret-fits.ts'

/** Tables that belong to the installation, not to the book. */
const LEFT_OUT = ['schema_migrations', 'throttles']
const BATCH_ROWS = 1_000

async function tablesOf(sql: Queries): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select relname as name from pg_class
     where relkind = 'r' and relnamespace = 'public'::regnamespace and relname <> all(${LEFT_OUT}) order by relname`
  return rows.map(({ name }) => name)
}

/** The columns of a table, without those that the database computes. */
export async function columnsOf(sql: Queries, table: string): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select attname as name from pg_attribute where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = ''`
  return rows.map(({ name }) => name)
}

async function schemaOf(sql: Queries): Promise<string> {
  const rows = await sql<{ name: string }[]>`select name from schema_migrations order by name`
  return rows.map(({ name }) => name).join(' ')
}

/** Writes a snapshot of everything to one gzipped file: a line with the schema's name, then lines of `["table", row, row, …]`. */
export const backup: Command = async (context, [file = '']) => {
  if (file === '') throw new Refusal('invalid-input', { sentence: 'Give the file to write: npm run ops -- backup FILE' })
  if (await access(file).then(() => true, () => false)) throw existing(file)
  const draft = `${file}.part`
  const gzip = createGzip()
  const written = pipeline(gzip, createWriteStream(draft, { mode: 0o600, flush: true }))
  try {
    await Promise.race([written, writeBook(context.sql, gzip)])
    await written
    await putInPlace(draft, file)
  } catch (error) {
    gzip.destroy()
    await rm(draft, { force: true })
    throw refusalOfFile(error, file) ?? error
  }
  await auditCommand(context, { action: 'backup', subject: file })
  return { lines: [`Written to ${file}. Keep SESSION_SECRET with it: bank account numbers are encrypted with that secret.`], ok: true }
}

/** A link, unlike a rename, replaces no file: another backup may have been finished meanwhile. Some file systems have no links. */
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
  return new Refusal('invalid-input', { sentence: `${file} exists already: a backup replaces no file. Give the name of a new one.` })
}

async function writeBook(sql: Sql, gzip: Gzip): Promise<void> {
  let begun = false
  await atOneMoment(sql, async (tx) => {
    // A retry after a lost connection would append to what is already written, so it must not happen.
    assert(!begun, 'the connection to the database was lost during the backup: run it again')
    begun = true
    gzip.write(`${JSON.stringify({ schema: await schemaOf(tx) })}\n`)
    for (const table of await tablesOf(tx)) await writeTable({ tx, table, gzip })
  })
  gzip.end()
}

async function writeTable({ tx, table, gzip }: { tx: Queries; table: string; gzip: Gzip }): Promise<void> {
  await tx`declare of_table cursor for select row_to_json(t)::text as row from ${tx(table)} t`
  for (;;) {
    const rows = await tx.unsafe<{ row: string }[]>(`fetch ${BATCH_ROWS} from of_table`)
    if (rows.length === 0) break
    const line = `[${[JSON.stringify(table), ...rows.map(({ row }) => row)].join(',')}]\n`
    if (!gzip.write(line)) await once(gzip, 'drain')
  }
  await tx`close of_table`
}

const WRONG_SECRET =
  'Restored, but bank account numbers cannot be read: they were encrypted with another SESSION_SECRET. Set the one that belongs to this backup.'

/** Restores into an empty database only, in one transaction, and reconciles afterwards. */
export const restore: Command = async (context, [file = '']) => {
  if (file === '') throw new Refusal('invalid-input', { sentence: 'Give the file to read: npm run ops -- restore FILE' })
  await refuseUsed(context.sql)
  await atomically(context.sql, async (tx) => {
    await tx`set local session_replication_role = replica`
    await readBook(tx, file)
    await continueNumbering(tx)
  })
  await auditCommand(context, { action: 'restore', subject: file })
  const differences = await reconcile(context.sql)
  const sealed = (await secretFits(context.sql, context.config.SESSION_SECRET)) ? [] : [WRONG_SECRET]
  if (differences.length + sealed.length === 0) return { lines: ['Restored, and the book is in order.'], ok: true }
  return { lines: [...differences.map(({ check, subject }) => `DIFFERS  ${check}: ${subject}`), ...sealed], ok: false }
}

/** Any error in the file undoes everything. */
async function readBook(tx: Queries, file: string): Promise<void> {
  try {
    const lines = linesOf(file)
    await checkHeader(tx, (await lines.next()).value ?? '')
    for (const table of await tablesOf(tx)) await tx`delete from ${tx(table)}`
    for await (const line of lines) await readLine(tx, line)
  } catch (error) {
    const isDamaged = error instanceof SyntaxError || DAMAGE.test(codeOf(error))
    if (isDamaged) throw new Refusal('invalid-input', { sentence: `${file} is not a complete backup: nothing was restored.` })
    throw refusalOfFile(error, file) ?? error
  }
}

/** Lets each identity column continue after its highest value. */
async function continueNumbering(tx: Queries): Promise<void> {
  const counted = await tx<{ table: string; column: string }[]>`
    select table_name as table, column_name as column from information_schema.columns where table_schema = 'public' and is_identity = 'YES'`
  for (const { table, column } of counted) {
    await tx`select setval(pg_get_serial_sequence(${table}, ${column}), coalesce(max(${tx(column)}), 0) + 1, false) from ${tx(table)}`
  }
}

async function* linesOf(file: string): AsyncGenerator<string, undefined> {
  const gunzip = createGunzip()
  createReadStream(file).once('error', (error) => gunzip.destroy(error)).pipe(gunzip)
  let rest = ''
  for await (const chunk of gunzip.setEncoding('utf8')) {
    const lines = (rest + String(chunk)).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
}

const REASONS: Record<string, string> = {
  ENOENT: 'it does not exist',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of it is a file',
  EACCES: 'permission is denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
}

/** Error codes of gunzip and PostgreSQL (bad values, violated constraints, unknown names) for a damaged file. */
const DAMAGE = /^(Z_|22|23|42)/

function refusalOfFile(error: unknown, file: string): Refusal | undefined {
  const reason = REASONS[codeOf(error)]
  return reason === undefined ? undefined : new Refusal('invalid-input', { sentence: `${file} cannot be used: ${reason}.` })
}

async function refuseUsed(sql: Sql): Promise<void> {
  const rows = await sql`select from users limit 1`
  if (rows.length > 0) throw new Refusal('invalid-input', { sentence: 'This database already has users: restore into an empty one.' })
}

async function checkHeader(tx: Queries, line: string): Promise<void> {
  const header: unknown = JSON.parse(line)
  if (typeof header !== 'object' || header === null || !('schema' in header)) throw new SyntaxError('no header')
  if (header.schema === (await schemaOf(tx))) return
  throw new Refusal('invalid-input', { sentence: 'This backup was made by another version: restore it with that version, then upgrade.' })
}

/** Rows stay text from end to end: bigint amounts never become floats. */
async function readLine(tx: Queries, line: string): Promise<void> {
  const [start, table] = /^\["([a-z_]+)",/.exec(line) ?? []
  if (start === undefined || table === undefined) throw new SyntaxError('no table')
  const rows = `[${line.slice(start.length)}`
  const columns = tx(await columnsOf(tx, table))
  await tx`
    insert into ${tx(table)} (${columns}) overriding system value
    select ${columns} from jsonb_populate_recordset(null::${tx(table)}, ${rows}::text::jsonb)`
}
