import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { StartupError } from '../kernel/errors.ts'
import { allowTriggers, followMigration } from './distribution/distribute.ts'
import { isDistributed } from './distribution/users-tables.ts'
import type { Sql } from './open.ts'
import { splitStatements } from './split-statements.ts'
import type { Queries } from './statement.ts'

const MIGRATIONS = new URL('./migrations/', import.meta.url)

/** Arbitrary, but the same in every process that migrates this database. */
export const MIGRATION_LOCK = 7_205_331_142n

/**
 * Applies the missing `NNNN-name.sql` of `folder` and returns their names. Each file and its row in
 * `schema_migrations` share a transaction, under a lock between processes. Throws `StartupError` if
 * the first file differs, or an applied one changed, is missing or is out of order.
 */
export async function migrate(sql: Sql, folder: URL | string = MIGRATIONS): Promise<string[]> {
  const files = await readMigrations(folder)
  const applied: string[] = []
  for (;;) {
    const name = await sql.begin('', (transaction) => applyNext(transaction, files))
    if (name === undefined) return applied
    applied.push(name)
  }
}

type Migration = { name: string; sha256: string; text: string }

async function readMigrations(folder: URL | string): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted()
  const misnamed = names.find(
    (name, index) =>
      !/^\d{4}-[a-z0-9-]+\.sql$/.test(name) || name.slice(0, 4) === names[index - 1]?.slice(0, 4),
  )
  if (misnamed !== undefined)
    throw new StartupError(
      `The migration ${misnamed} is not named NNNN-name.sql with a number of its own.`,
    )
  const base = typeof folder === 'string' ? `${folder}/` : folder
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(
        typeof base === 'string' ? base + name : new URL(name, base),
        'utf8',
      )
      return { name, sha256: createHash('sha256').update(text).digest('hex'), text }
    }),
  )
}

/** Rereads the table for each file, because another process may have applied the others. */
async function applyNext(
  transaction: Queries,
  files: readonly Migration[],
): Promise<string | undefined> {
  await transaction`select pg_advisory_xact_lock(${MIGRATION_LOCK})`
  await transaction`
    create table if not exists schema_migrations (
      name text not null constraint schema_migrations_pkey primary key,
      sha256 text not null,
      applied_at timestamptz not null default clock_timestamp()
    )`
  const applied = await transaction<
    { name: string; sha256: string }[]
  >`select name, sha256 from schema_migrations order by name`
  refuseStrangers(applied, files)
  const next = files[applied.length]
  if (next === undefined) return undefined
  const onNodes = await isDistributed(transaction)
  if (onNodes) await allowTriggers(transaction)
  await run(transaction, next)
  if (onNodes) await followMigration(transaction)
  await transaction`insert into schema_migrations (name, sha256)
    values (${next.name}, ${next.sha256})`
  return next.name
}

function refuseStrangers(
  applied: readonly { name: string; sha256: string }[],
  files: readonly Migration[],
): void {
  if (applied[0] !== undefined && applied[0].sha256 !== files[0]?.sha256) {
    throw new StartupError(
      'This database was made by a version from before the first release, and this one cannot ' +
        'read it. Nothing in it was changed: run the version that made it, such as commit ' +
        'b0f1b721, or set DATA_DIR or DATABASE_URL to a new one.',
    )
  }
  for (const [index, row] of applied.entries()) {
    const file = files.find(({ name }) => name === row.name)
    if (file === undefined)
      throw new StartupError(
        `The database is newer than this code: it has ${row.name}, which this code lacks.`,
      )
    if (file.sha256 !== row.sha256)
      throw new StartupError(
        `The migration ${row.name} has changed since this database applied it: run the ` +
          'version that made it, or start with a new DATA_DIR.',
      )
    if (files[index] !== file)
      throw new StartupError(
        `The migration ${files[index]?.name} was added before ${row.name}, already applied.`,
      )
  }
}

async function run(transaction: Queries, { name, text }: Migration): Promise<void> {
  try {
    // Statements run one by one: Citus sends the whole text to its nodes, which accept a single
    // statement.
    for (const statement of splitStatements(text)) await transaction.unsafe(statement)
  } catch (error) {
    throw new StartupError(
      `The migration ${name} failed: ${error instanceof Error ? error.message : String(error)}.`,
      { cause: error },
    )
  }
}
