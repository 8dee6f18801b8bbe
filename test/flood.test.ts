import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { routes } from '#contract/routes.ts'
import { queriesOver } from '#server/db/statement.ts'
import { openServer } from '#server/server.ts'
import { createWorld, type World } from './world.ts'

/** The cost of refusing a flood, through the whole server. */
let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

const BACKTEST = { riskLevel: 'moderate', tradingPairs: ['BTC/USDT'], investmentAmount: '1000', days: 90 }

test('each call of a flood that is over its limit costs the look at its session, and names the time to wait', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  let statements = 0
  const counted = queriesOver((sent) => {
    statements += 1
    return world.context.sql.send(sent)
  })
  const sql = Object.assign(counted, { ...world.context.sql, send: counted.send, unsafe: counted.unsafe })
  const app = await openServer({ ...world.context, sql, reads: sql }, { pages: '/nonexistent' })
  try {
    const user = await world.user()
    await world.context.sql`insert into throttles (key, window_start, attempts) values (${`backtest:${user.id}`}, now(), 120)`
    const flood = async (calls: number) => {
      statements = 0
      const ask = () => app.inject({ method: 'POST', url: routes.runBacktest.path, payload: BACKTEST, headers: { 'sec-fetch-site': 'same-origin', cookie: user.cookie } })
      const answers = await Promise.all(Array.from({ length: calls }, ask))
      const waits = answers.map(({ headers }) => Number(headers['retry-after']))
      return { statuses: [...new Set(answers.map(({ statusCode }) => statusCode))], areWaitsTrue: waits.every((wait) => wait > 0 && wait <= 60), statements }
    }
    const rows = async () => (await world.context.sql`select from audit_events where subject = ${user.id} and action = 'call.refused'`).length
    // The limit is looked up once; a row in the trail takes two counts and itself: the first ten, and the hundredth.
    expect(await flood(200)).toEqual({ statuses: [429], areWaitsTrue: true, statements: 200 + 1 + 11 * 3 })
    expect(await rows()).toBe(11)
    expect(await flood(200)).toEqual({ statuses: [429], areWaitsTrue: true, statements: 200 })
    expect(await rows()).toBe(11)
  } finally {
    vi.useRealTimers()
    await app.close()
  }
})
