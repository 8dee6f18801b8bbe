import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/world/database.ts'
import { tryLock, waitForLock } from './session.ts'

const KEY = 42n

let database: TestDatabase

beforeEach(async () => {
  database = await createTestDatabase()
})

afterEach(() => database.drop())

async function killHolder(): Promise<void> {
  await database.sql`select pg_terminate_backend(pid, 5000) from pg_locks
    where locktype = 'advisory' and objid = ${KEY} and granted
    and database = (select oid from pg_database where datname = current_database())`
}

test('only one session holds a lock, until it releases it', async () => {
  const first = await tryLock(database.sql, KEY)
  expect(first).toBeDefined()
  expect(await tryLock(database.sql, KEY)).toBeUndefined()
  await first?.release()
  const second = await tryLock(database.sql, KEY)
  expect(second).toBeDefined()
  await second?.release()
})

test('a holder whose connection dies is notified, and another can take the lock', async () => {
  const first = await tryLock(database.sql, KEY)
  await killHolder()
  await first?.lost
  const second = await tryLock(database.sql, KEY)
  expect(second).toBeDefined()
  await second?.release()
  await first?.release()
})

test('a waiting session gets the lock as soon as the holder releases it', async () => {
  const first = await tryLock(database.sql, KEY)
  const waiting = waitForLock(database.sql, { key: KEY, patienceMs: 60_000 })
  await untilSomebodyWaits()
  await first?.release()
  const second = await waiting
  expect(await tryLock(database.sql, KEY)).toBeUndefined()
  await second.release()
})

async function untilSomebodyWaits(): Promise<void> {
  await expect
    .poll(
      () =>
        database.sql`select from pg_locks where locktype = 'advisory' and objid = ${KEY}
          and not granted`,
    )
    .toHaveLength(1)
}

test('waiting for a lock fails after the time limit, and blocks nobody', async () => {
  const first = await tryLock(database.sql, KEY)
  await expect(waitForLock(database.sql, { key: KEY, patienceMs: 50 })).rejects.toThrow(
    'lock timeout',
  )
  await first?.release()
  const second = await waitForLock(database.sql, { key: KEY, patienceMs: 60_000 })
  await second.release()
})
