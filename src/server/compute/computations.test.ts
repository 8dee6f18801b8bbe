import { readdirSync, readFileSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import cookie from '@fastify/cookie'
import fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DAY_MS, floorHour } from '#core/market/candle.ts'
import { createSeries } from '#core/market/candle-series.ts'
import { PAIRS } from '#core/market/pair.ts'
import { simulatedCandles } from '#core/market/simulated-market.ts'
import { decimalToUnits } from '#core/money/decimal.ts'
import { backtest, buyAndHold, type BacktestInput } from '#core/strategy/backtest.ts'
import { STRATEGY_KEYS } from '#core/strategy/strategy-key.ts'
import { VENUE_COSTS } from '#core/trading/costs.ts'
import { hashPassword } from '#server/auth/password.ts'
import { computations } from './computations.ts'
import { openCompute } from './open-compute.ts'
import { readFirstAnswers } from '#server/pages/first-answers.ts'
import { createWorld, type World } from '../../../test/world/world.ts'

const DAYS = 400
const markets = PAIRS.map((pair) => ({
  pair,
  series: simulatedCandles({ seed: 24, pair, fromMs: 0, count: DAYS * 24 }),
}))
const inputOf = (strategy: BacktestInput['strategy']): BacktestInput & { mostTrades: number } => ({
  strategy,
  markets,
  invested: decimalToUnits('1000'),
  fromMs: 200 * DAY_MS,
  toMs: DAYS * DAY_MS,
  costs: VENUE_COSTS.binance,
  feeBps: 1_500,
  curvePoints: 200,
  mostTrades: 100,
})

const compute = openCompute()
afterAll(() => compute.stop())

describe('a computation in a thread', () => {
  test.each(STRATEGY_KEYS)(
    'a computation gives the same result as in the main thread, to the last digit: %s',
    async (strategy) => {
      const input = inputOf(strategy)
      const [result, held] = [backtest(input), buyAndHold(input)]
      expect(result.trades.length).toBeGreaterThan(strategy.startsWith('trend') ? 100 : 0)
      const answer = await compute.run('backtest', input, { owner: 'ada' })
      expect(answer.result).toEqual({
        ...result,
        trades: result.trades.slice(-100).map((trade) => ({ ...trade })),
      })
      expect([answer.tradeCount, answer.held]).toEqual([
        result.trades.length,
        { ...held, trades: [] },
      ])
      expect(await compute.run('growth', input, { owner: 'ada' })).toEqual(result.curve)
    },
  )

  test('shares the candles instead of copying them', () => {
    const series = createSeries(10)
    expect(structuredClone(series).close.buffer).toBeInstanceOf(SharedArrayBuffer)
    structuredClone(series).close[0] = 7n
    expect(series.close[0]).toBe(7n)
  })

  test('a computation is refused if its thread dies, and the next one runs', async () => {
    const dying = compute.run('backtest', inputOf('trend-moderate'), { owner: 'ada' })
    // Lets the computation's turn begin.
    await setImmediate()
    await compute.stop()
    await expect(dying).rejects.toMatchObject({ code: 'temporarily-unavailable' })
    expect(await compute.run('growth', inputOf('trend-moderate'), { owner: 'ada' })).not.toEqual([])
  })

  test('a computation that fails by a bug of ours fails alone', async () => {
    await expect(
      compute.run('growth', { ...inputOf('trend-moderate'), markets: [] }, { owner: 'ada' }),
    ).rejects.toThrow('a backtest needs a pair and a time')
    expect(await compute.run('growth', inputOf('trend-moderate'), { owner: 'ada' })).not.toEqual([])
  })

  test.each([
    ['a computation', () => compute.run('growth', inputOf('trend-moderate'), { owner: 'ada' })],
    ['a password hash', () => hashPassword('a password', '10.0.0.1')],
  ])('yields to requests if threads can have priorities of their own: %s', async (_which, run) => {
    if (process.platform !== 'linux') return
    await compute.stop()
    const before = niceThreads()
    await run()
    expect(niceThreads()).toBe(before + 1)
  })
})

/**
 * The number of this process's threads with a lower priority. Source: proc(5): the 19th field is
 * the nice value; the name in parentheses may contain blanks.
 */
function niceThreads(): number {
  const niceness = readdirSync('/proc/self/task').map((id) =>
    Number(
      readFileSync(`/proc/self/task/${id}/stat`, 'utf8')
        .replace(/^.*\) /, '')
        .split(' ')[16],
    ),
  )
  return niceness.filter((nice) => nice === 5).length
}

describe('a flood of backtests', () => {
  let world: World
  beforeAll(async () => {
    world = await createWorld()
  })
  afterAll(() => world.close())

  const FEW = PAIRS.slice(0, 6)
  const body = { riskLevel: 'moderate', tradingPairs: FEW, investmentAmount: '100', days: 1_095 }

  test('a flood does not occupy the thread that answers requests', async () => {
    const user = await world.user()
    await user.call('runBacktest', { body })
    const toMs = floorHour(world.context.market.now().getTime())
    const input = {
      ...inputOf('trend-moderate'),
      markets: FEW.map((pair) => ({ pair, series: world.context.candles.until(pair, toMs) })),
      toMs,
      fromMs: toMs - 1_095 * DAY_MS,
    }
    const own = cpuOf()
    computations.backtest(input)
    const alone = own()
    const serving = cpuOf()
    for (let count = 0; count < 6; count += 1) await user.call('runBacktest', { body })
    expect(serving(), 'for six of them').toBeLessThan(3 * alone)
  })

  test('the flood is refused with the time to wait, and delays nobody else', async () => {
    const [flooder, other] = [await world.user(), await world.user()]
    const flood = Array.from({ length: 30 }, () => flooder.ask('runBacktest', { body }))
    const answer = await other.ask('runBacktest', {
      body: { ...body, tradingPairs: ['BTC/USDT'], days: 30 },
    })
    expect(answer.status).toBe(200)
    const statuses = (await Promise.all(flood)).map(({ status }) => status)
    expect([...new Set(statuses)].toSorted()).toEqual([200, 429])
    expect(statuses.filter((status) => status === 200).length).toBeLessThan(15)
    expect((await flooder.ask('runBacktest', { body })).status, 'after the flood').toBe(200)
  })

  test('states the wait in its sentence and in Retry-After', async () => {
    const user = await world.user()
    const send = () =>
      world.app.inject({
        method: 'POST',
        url: '/api/backtests',
        payload: body,
        headers: { 'sec-fetch-site': 'same-origin', cookie: user.cookie },
      })
    const answers = await Promise.all(Array.from({ length: 10 }, send))
    const refused = answers.find(({ statusCode }) => statusCode === 429)
    expect(refused?.json()).toMatchObject({
      code: 'too-many-attempts',
      message: `Too many attempts. Please try again in ${waitOf(refused)}.`,
    })
  })
})

test('a page is sent without the answer of a long computation, which the app fetches', async () => {
  const world = await createWorld({
    context: { compute: { run: () => new Promise(() => undefined), stop: async () => undefined } },
  })
  const pages = fastify()
  await pages.register(cookie)
  pages.get('/', (request, reply) =>
    readFirstAnswers({ context: world.context, request, reply }, { path: '/', isDesk: false }),
  )
  const { getSampleBot, getConfig } = (await pages.inject('/')).json<Record<string, unknown>>()
  expect([getSampleBot, typeof getConfig]).toEqual([undefined, 'object'])
  await pages.close()
  await world.close()
})

const waitOf = (answer: { headers: Record<string, unknown> } | undefined): string => {
  const seconds = Number(answer?.headers['retry-after'])
  return `${seconds} second${seconds === 1 ? '' : 's'}`
}

/** Processor time that this thread takes from now on, in microseconds. */
function cpuOf(): () => number {
  const before = process.threadCpuUsage()
  return () => {
    const { user, system } = process.threadCpuUsage(before)
    return user + system
  }
}
