import { randomUUID } from 'node:crypto'
import { inject } from 'vitest'
import { openDatabase, type DatabaseOptions, type Sql } from '#server/db/open.ts'
import { databaseUrl, TEMPLATE } from './postgres.ts'

export type TestDatabase = { url: string; sql: Sql; drop(): Promise<void> }

/** Creates a separate database with every migration applied, in about 50 ms. The caller must drop it. */
export async function createTestDatabase(options: DatabaseOptions = {}): Promise<TestDatabase> {
  const postgresUrl = inject('postgresUrl')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await maintain(postgresUrl, (sql) => sql`create database ${sql(name)} template ${sql(TEMPLATE)} strategy file_copy`)
  const url = databaseUrl(postgresUrl, name)
  const sql = await openDatabase(url, options)
  const drop = async (): Promise<void> => {
    await sql.end({ timeout: 1 })
    await maintain(postgresUrl, (maintenance) => maintenance`drop database if exists ${maintenance(name)} with (force)`)
  }
  return { url, sql, drop }
}

async function maintain(url: string, work: (sql: Sql) => Promise<unknown>): Promise<void> {
  const sql = await openDatabase(url, { poolSize: 1 })
  try {
    await work(sql)
  } finally {
    await sql.end()
  }
}
