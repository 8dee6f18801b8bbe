import { expect, test } from 'vitest'
import { createTestDatabase } from './database.ts'

test('a test database has every migration applied', async () => {
  const { sql, drop } = await createTestDatabase()
  try {
    const [row] = await sql<{ count: bigint }[]>`select count(*) from schema_migrations`
    expect(row?.count).toBeGreaterThan(0n)
  } finally {
    await drop()
  }
})

test('two test databases are independent of each other', async () => {
  const one = await createTestDatabase()
  const other = await createTestDatabase()
  try {
    await one.sql`create table notes (text text)`
    const [row] = await other.sql<
      { found: string | null }[]
    >`select to_regclass('notes')::text as found`
    expect(row?.found).toBeNull()
  } finally {
    await one.drop()
    await other.drop()
  }
})
