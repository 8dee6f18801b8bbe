import { randomUUID } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { createTestDatabase, SECRET, type TestDatabase } from '../../test/database.ts'
import { findBrokenAccounts, readAccount, sealEarlierAccounts } from './account-seal.ts'
import { checkBook } from './db/check-book.ts'

let database: TestDatabase
afterEach(() => database.drop())

async function insertUsers(count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => randomUUID())
  await database.sql`insert into users (id, username, password, first_name, last_name)
    select id, id::text, '', 'Ada', 'Byron' from unnest(${ids}::uuid[]) as id`
  return ids
}

async function start(kind: 'paper' | 'live'): Promise<string[]> {
  const { sql } = database
  await checkBook(sql, { BOOK: kind, SESSION_SECRET: SECRET })
  await sealEarlierAccounts(sql)
  return sql.seals ? findBrokenAccounts(sql, sql.seals) : []
}

test.each(['paper', 'live'] as const)(
  'the first start of a %s book with seals of accounts seals those that exist',
  async (kind) => {
    database = await createTestDatabase()
    await start(kind)
    // More than are read at once.
    const [one = ''] = await insertUsers(1_001)
    expect(await start(kind)).toEqual([])
    expect(await readAccount(database.sql, one)).toMatchObject({ username: one })
  },
)

test.each([
  ['paper', 0],
  ['live', 1],
] as const)(
  'a later start of a %s book leaves %d accounts that somebody wrote',
  async (kind, left) => {
    database = await createTestDatabase()
    await start(kind)
    await insertUsers(1)
    await start(kind)
    await insertUsers(1)
    expect(await start(kind)).toHaveLength(left)
  },
)
