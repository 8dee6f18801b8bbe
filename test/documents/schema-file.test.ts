import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { schemaText } from '../../scripts/schema-text.ts'
import { createTestDatabase } from '../world/database.ts'

/** Views are left out: PostgreSQL prints a restored view with other internal names. */
const tablesOf = (text: string): string => text.split('create view')[0] ?? ''

test('docs/schema.sql matches the migrations and loads: npm run schema', async () => {
  const written = await readFile(new URL('../../docs/schema.sql', import.meta.url), 'utf8')
  const database = await createTestDatabase()
  try {
    expect(written).toBe(await schemaText(database.sql))
    await database.sql`drop schema public cascade`
    await database.sql`create schema public`
    await database.sql.unsafe(written)
    expect(tablesOf(await schemaText(database.sql))).toBe(tablesOf(written))
  } finally {
    await database.drop()
  }
})
