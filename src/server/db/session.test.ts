import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts'
import { tryLock } from './session.ts'

const KEY = 42n

let database: TestDatabase

beforeEach(async () => {
  database = await createTestDatabase()
})

afterEach(() => database.drop())

async function killHolder(): Promise<void> {
  await database.sql`select pg_terminate_backend(pid, 5000) from pg_locks where locktype = 'advisory' and objid = ${KEY} and granted
    and database = (select oid from pg_database where datname = current_database())`
}

test('one session holds a lock at a time, until it releases it', async () => {
  const first = await tryLock(database.sql, KEY)
  expect(first).toBeDefined()
  expect(await tryLock(database.sql, KEY)).toBeUndefined()
  await first?.release()
  const second = await tryLock(database.sql, KEY)
  expect(second).toBeDefined()
  await second?.release()
})

test('a holder whose connection dies is told, and another may hold the lock', async () => {
  const first = await tryLock(database.sql, KEY)
  await killHolder()
  await first?.lost
  const second = await tryLock(database.sql, KEY)
  expect(second).toBeDefined()
  await second?.release()
  await first?.release()
})
