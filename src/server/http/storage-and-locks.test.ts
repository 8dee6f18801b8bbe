import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WEB_PATIENCE, type SqlOptions } from '#server/db/open.ts'
import { watchStorage } from '#server/http/storage.ts'
import { openServer } from '#server/server.ts'
import { createTestDatabase } from '../../../test/world/database.ts'
import { createWorld, type World } from '../../../test/world/world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

const failing = (code: string) => Object.assign(new Error('refused by the database'), { code })

/** The answer of a server whose reads fail with this code of PostgreSQL. */
async function answerTo(code: string) {
  const reads = Object.assign(() => Promise.reject(failing(code)), world.context.reads, {
    send: () => Promise.reject(failing(code)),
  })
  const app = await openServer(
    { ...world.context, reads: reads as unknown as World['context']['reads'] },
    { pages: '/nonexistent' },
  )
  const answer = await app.inject({
    url: '/api/auth/user',
    headers: { cookie: `sid=01a1fea7-59b0-753c-ac55-084865e40587.${'x'.repeat(43)}` },
  })
  const health = await app.inject('/health')
  await app.close()
  return {
    status: answer.statusCode,
    code: answer.json<{ code: string }>().code,
    health: health.json<{ database: string }>().database,
  }
}

test.each([
  ['53100', 'the disk is full', 'full'],
  ['53200', 'no memory is left', 'full'],
  ['53300', 'no connection is left', 'down'],
  ['57014', 'a statement took too long', 'down'],
  ['57P01', 'the database is stopped', 'down'],
  ['55P03', 'a lock was not free in time', 'down'],
  ['58030', 'the disk fails', 'down'],
])('%s, %s: the caller may try again, and health is red', async (code, _what, health) => {
  expect(await answerTo(code)).toEqual({ status: 503, code: 'temporarily-unavailable', health })
})

test('any other error of the database is reported as a bug', async () => {
  expect(await answerTo('42P01')).toMatchObject({ status: 500, code: 'internal' })
})

test('health writes a row, and is red while it cannot', async () => {
  const {
    context: { sql },
    app,
  } = world
  const health = async () => (await app.inject('/health')).statusCode
  expect(await health()).toBe(200)
  const written = async () =>
    (
      await sql<{ at: Date }[]>`select window_start as at from throttles where key = 'health'`
    )[0]?.at.getTime() ?? 0
  const before = await written()
  expect(before).toBeGreaterThan(0)
  await health()
  expect(await written()).toBeGreaterThan(before)
  await sql.unsafe(
    `create function refuse_health() returns trigger language plpgsql
      as 'begin raise exception ''full'' using errcode = ''53100''; end'`,
  )
  await sql.unsafe(
    `create trigger refuse_health before insert on throttles
      for each row execute function refuse_health()`,
  )
  expect(await health()).toBe(503)
  await sql.unsafe('drop trigger refuse_health on throttles')
  await expect.poll(health).toBe(200)
})

test('an embedded database is full when its disk is', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'storage-'))
  expect(await watchStorage({ DATABASE_URL: undefined, DATA_DIR: folder }).isFull()).toBe(false)
  await rm(folder, { recursive: true })
  expect(
    await watchStorage({ DATABASE_URL: undefined, DATA_DIR: join(folder, 'gone') }).isFull(),
    'no folder, no finding',
  ).toBe(false)
})

test('requests have time limits; migrations, the engine and jobs have none', async () => {
  const limitsOf = async (options: SqlOptions) => {
    const database = await createTestDatabase(options)
    const [row] = await database.sql<
      { locks: string; statements: string }[]
    >`select current_setting('lock_timeout') as locks, current_setting('statement_timeout')
      as statements`
    await database.drop()
    return row
  }
  expect([await limitsOf({ patience: WEB_PATIENCE }), await limitsOf({})]).toEqual([
    { locks: '3s', statements: '15s' },
    { locks: '0', statements: '0' },
  ])
})

test('all waiting actions of a user share one connection, and others continue', async () => {
  const [busy, other] = [await world.user(), await world.user()]
  for (const user of [busy, other]) await user.deposit('100')
  let waiting: Promise<{ status: number }>[] = []
  await world.context.sql.begin('', async (tx) => {
    await tx`select 1 from ledger_accounts where user_id = ${busy.id} for update`
    const body = {
      name: 'Steady',
      riskLevel: 'moderate',
      tradingPairs: ['BTC/USDT'],
      investmentAmount: '10',
    }
    waiting = Array.from({ length: 12 }, () => busy.ask('createBot', { body }))
    // Answered although the lock is taken. If all twelve calls waited with a connection, the eight
    // connections would be used up.
    expect(await other.call('getUser')).toMatchObject({ availableBalance: '100.00' })
    await other.call('createBot', { body })
  })
  const statuses = (await Promise.all(waiting)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 201)).toHaveLength(10)
})
