import { randomUUID } from 'node:crypto'
import { inject } from 'vitest'
import type { OpenBook } from '#server/db/book.ts'
import { checkBook } from '#server/db/check-book.ts'
import { connectPatiently } from '#server/db/client.ts'
import { openDatabase, type SqlOptions, type Sql } from '#server/db/open.ts'
import { databaseUrl, TEMPLATE } from '../process/postgres.ts'

/** `sql` and `url` are of the superuser, who owns the tables; `appUrl` is of the app's role. */
export type TestDatabase = { url: string; appUrl: string; sql: Sql; drop(): Promise<void> }

/**
 * Creates a separate database with every migration applied, in about 50 ms. The caller must drop
 * it.
 */
export async function createTestDatabase({
  template = TEMPLATE,
  ...options
}: SqlOptions & { template?: string } = {}): Promise<TestDatabase> {
  const postgresUrl = inject('postgresUrl')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const url = databaseUrl(postgresUrl, name)
  await maintain(postgresUrl, async (sql) => {
    await sql`create database ${sql(name)} template ${sql(template)} strategy file_copy`
    // Revoked again, because a copy has the rights of the tables, but not of the database itself.
    await sql`revoke create, temporary on database ${sql(name)} from public`
  })
  const sql = await openPatiently(url, options)
  const drop = async (): Promise<void> => {
    await sql.end({ timeout: 1 })
    await maintain(
      postgresUrl,
      (maintenance) => maintenance`drop database if exists ${maintenance(name)} with (force)`,
    )
  }
  return { url, appUrl: databaseUrl(inject('postgresAppUrl'), name), sql, drop }
}

/** Opened as a paper book, so that its rows can be sealed. */
export async function createTestBook(options: SqlOptions = {}): Promise<TestDatabase & OpenBook> {
  const database = await createTestDatabase(options)
  const book = await checkBook(database.sql, { BOOK: 'paper', SESSION_SECRET: SECRET })
  return { ...database, ...book }
}

/** The secret of test books. */
export const SECRET = 'x'.repeat(32)

async function maintain(url: string, work: (sql: Sql) => Promise<unknown>): Promise<void> {
  const sql = await openPatiently(url, { poolSize: 1 })
  try {
    await work(sql)
  } finally {
    await sql.end()
  }
}

/** As at a start, because a busy machine may accept a connection late. */
async function openPatiently(url: string, options: SqlOptions): Promise<Sql> {
  const connectPromptly = connectPatiently()
  try {
    return await openDatabase(url, options)
  } finally {
    connectPromptly()
  }
}
