import { afterAll, beforeAll, expect, test } from 'vitest'
import { EVENT_NAMES } from '#contract/events.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/world/database.ts'
import { atomically } from '../db/atomically.ts'
import { listen, publish, type AppEvent } from './bus.ts'
import { notifyEvents } from './events-notify.ts'
import { momentNow, eventPositionText, readMoment } from './moment.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

test('a moment is restored from its text; other texts are no moment', () => {
  const moment = { life: '1764000000000000', number: 12_345_678_901_234n }
  expect(readMoment(eventPositionText(moment))).toEqual(moment)
  for (const text of [
    '',
    '2026-11-24T10:00:00.000Z',
    '7',
    '7.',
    '7.8.9',
    '7.-8',
    `7.${'9'.repeat(21)}`,
  ])
    expect(readMoment(text)).toBeUndefined()
})

test('an event counts as missed if the snapshot of a read lacks its transaction', async () => {
  const heard: AppEvent[] = []
  const stop = await listen(notifyEvents(database.sql), {
    onEvent: (event) => heard.push(event),
    onListening: () => undefined,
  })
  await database.sql`create table seen (id int)`
  const readers: { sees: boolean; past: bigint }[] = []
  const look = async () => {
    const { past } = await momentNow(database.sql)
    readers.push({ sees: (await database.sql`select from seen`).length > 0, past: past.number })
  }
  await look()
  await atomically(database.sql, async (tx) => {
    await tx`insert into seen values (1)`
    await look()
    // A transaction that begins later and ends first.
    await publish(database.sql, { name: 'balance' })
    await publish(tx, { name: 'bots' })
    await look()
  })
  await expect
    .poll(() => heard.filter(({ number }) => number !== undefined).map(({ name }) => name))
    .toEqual(['balance', 'bots'])
  await stop()
  const number = heard.at(-1)?.number ?? 0n
  // Numbers are shared by all databases of the server: transactions of other tests delay them.
  await expect.poll(async () => (await momentNow(database.sql)).past.number > number).toBe(true)
  await look()
  expect(readers.map(({ sees, past }) => [sees, number >= past])).toEqual([
    [false, true],
    [false, true],
    [false, true],
    [true, false],
  ])
  const [balance, bots] = heard.slice(-2)
  expect(balance?.number, 'a later number was heard first').toBeGreaterThan(bots?.number ?? 0n)
  expect(balance?.past).toBeLessThanOrEqual(bots?.number ?? 0n)
})

test('a message of another version makes all pages refetch; the next is delivered', async () => {
  const heard: AppEvent[] = []
  const stop = await listen(notifyEvents(database.sql), {
    onEvent: (event) => heard.push(event),
    onListening: () => undefined,
  })
  heard.length = 0
  for (const payload of [
    '',
    '{"name":"balance"}',
    '1 2 balance',
    'x 2 {"name":"balance"}',
    '1 2 {"name":"balance',
    '1 2 {"name":"balance\\ndata"}',
    '1 2 {"name":"balance","userIds":1}',
  ]) {
    await database.sql`select pg_notify('app_events', ${payload})`
    await expect
      .poll(() => new Set(heard.splice(0).map(({ name }) => name)))
      .toEqual(new Set(EVENT_NAMES))
  }
  await publish(database.sql, { name: 'bots' })
  await expect
    .poll(() => heard.map(({ name, number }) => [name, typeof number]))
    .toEqual([['bots', 'bigint']])
  await stop()
})
