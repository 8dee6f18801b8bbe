import { EventEmitter, once } from 'node:events'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { routes } from '#contract/routes.ts'
import { bookOn } from '#server/db/book.ts'
import { queriesOver, type Queries } from '#server/db/statement.ts'
import { openServer } from '#server/server.ts'
import { createWorld, type World } from '../world/world.ts'

/** The cost of refusing a flood, through the whole server. */
let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

const BACKTEST = {
  riskLevel: 'moderate',
  tradingPairs: ['BTC/USDT'],
  investmentAmount: '1000',
  days: 90,
}

/** The product on the world's database. `send` replaces the sending of statements. */
async function serverOver(send: Queries['send']): Promise<FastifyInstance> {
  const queries = queriesOver(send)
  const sql = Object.assign(queries, {
    ...world.context.sql,
    send: queries.send,
    unsafe: queries.unsafe,
  })
  return openServer(
    { ...world.context, ...bookOn(sql, world.context.seals), reads: sql },
    { pages: '/nonexistent' },
  )
}

const isSessionLookup = ({ text }: { text: string }) => /from sessions s\s+where/.test(text)

test('concurrent calls share one look-up of the session; refusals state the wait', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const sent = { lookups: 0, others: 0 }
  const app = await serverOver((statement) => {
    sent[isSessionLookup(statement) ? 'lookups' : 'others'] += 1
    return world.context.sql.send(statement)
  })
  try {
    const user = await world.user()
    await world.context.sql`insert into throttles (key, window_start, attempts)
        values (${`backtest:${user.id}`}, now(), 120)`
    const flood = async (calls: number) => {
      Object.assign(sent, { lookups: 0, others: 0 })
      const ask = () =>
        app.inject({
          method: 'POST',
          url: routes.runBacktest.path,
          payload: BACKTEST,
          headers: { 'sec-fetch-site': 'same-origin', cookie: user.cookie },
        })
      const answers = await Promise.all(Array.from({ length: calls }, ask))
      const waits = answers.map(({ headers }) => Number(headers['retry-after']))
      expect(sent.lookups, 'of 200 calls').toBeLessThan(20)
      return {
        statuses: [...new Set(answers.map(({ statusCode }) => statusCode))],
        areWaitsTrue: waits.every((wait) => wait > 0 && wait <= 60),
        statements: sent.others,
      }
    }
    const rows = async () =>
      (
        await world.context
          .sql`select from audit_events where subject = ${user.id} and action = 'call.refused'`
      ).length
    // The limit is read once. A row in the trail takes three statements: two counts and the insert.
    // There is a row for each of the first ten refusals and the hundredth.
    expect(await flood(200)).toEqual({
      statuses: [429],
      areWaitsTrue: true,
      statements: 1 + 11 * 3,
    })
    expect(await rows()).toBe(11)
    expect(await flood(200)).toEqual({ statuses: [429], areWaitsTrue: true, statements: 0 })
    expect(await rows()).toBe(11)
  } finally {
    vi.useRealTimers()
    await app.close()
  }
})

test('a call that begins after its session ended is refused, even during a look-up', async () => {
  const user = await world.user()
  const events = new EventEmitter()
  const [begun, released] = [once(events, 'begun'), once(events, 'released')]
  let lookups = 0
  const app = await serverOver(async (statement) => {
    const rows = await world.context.sql.send(statement)
    if (isSessionLookup(statement) && (lookups += 1) === 1) {
      events.emit('begun')
      await released
    }
    return rows
  })
  const ask = async () =>
    (await app.inject({ url: routes.listBots.path, headers: { cookie: user.cookie } })).statusCode
  try {
    const before = ask()
    await begun
    await world.context.sql`delete from sessions where user_id = ${user.id}`
    const after = Promise.all([ask(), ask(), ask()])
    await new Promise((resolve) => setImmediate(resolve))
    events.emit('released')
    expect([await before, await after]).toEqual([200, [401, 401, 401]])
    expect(await ask()).toBe(401)
  } finally {
    events.emit('released')
    await app.close()
  }
})

test('calls with one cookie continue after the database failed one of them', async () => {
  const user = await world.user()
  let isBroken = true
  const app = await serverOver((statement) =>
    isBroken && isSessionLookup(statement)
      ? Promise.reject(new Error('lost'))
      : world.context.sql.send(statement),
  )
  const ask = async () =>
    (await app.inject({ url: routes.listBots.path, headers: { cookie: user.cookie } })).statusCode
  try {
    expect(await Promise.all([ask(), ask(), ask()])).toEqual([500, 500, 500])
    isBroken = false
    expect(await Promise.all([ask(), ask()])).toEqual([200, 200])
  } finally {
    await app.close()
  }
})
