import { afterAll, beforeAll, expect, test } from 'vitest'
import { swingAfter, swingOf, varianceOf } from '#core/forecast/model.ts'
import { pastDays } from '#core/forecast/rows.ts'
import { DAY_MS, floorHour, HOUR_MS } from '#core/market/candle.ts'
import { countBefore } from '#core/market/candle-series.ts'
import type { Pair } from '#core/market/pair.ts'
import { newestModel } from './forecast-at.ts'
import { createWorld, type TestUser, type World } from '../../../test/world/world.ts'

/** Compares the range of a whole bot's next day with a plain computation from closed candles. */

const PAIRS: readonly Pair[] = ['BTC/USDT', 'ETH/USDT']
let world: World
let ada: TestUser
beforeAll(async () => {
  world = await createWorld()
  ada = await world.user('ada')
  await ada.deposit('1000')
})
afterAll(() => world.close())

async function botOf(strategy: string): Promise<string> {
  const body = { name: strategy, strategy, tradingPairs: PAIRS, investmentAmount: '200' }
  const { id } = await ada.call('createBot', { body })
  return id
}
const performanceOf = (id: string) => ada.call('getBotPerformance', { params: { id } })

/** Applies each past day of a year to today's coins, hour by hour. */
function plainDays(shares: readonly number[]): { end: number; low: number }[] {
  const model = newestModel(world.context.candles)
  const nowMs = floorHour(world.context.market.now().getTime())
  const coins = PAIRS.map((pair, which) => {
    const series = world.context.candles.until(pair, nowMs)
    const known = { series, count: countBefore(series, nowMs) }
    const closeAt = (timeMs: number) => series.closeSignal[countBefore(series, timeMs) - 1] ?? 0
    const past = new Map(
      pastDays(series).map((day) => [day.timeMs, swingOf(varianceOf(model, day))]),
    )
    return { share: shares[which] ?? 0, past, closeAt, now: swingAfter(model, known) ?? 0 }
  })
  return Array.from({ length: 365 }, (_, index) => {
    const fromMs = Math.floor(nowMs / DAY_MS) * DAY_MS - (index + 1) * DAY_MS
    const worths = Array.from({ length: 24 }, (_hour, hour) =>
      coins.reduce((sum, { share, closeAt, now, past }) => {
        const move = Math.log(closeAt(fromMs + (hour + 1) * HOUR_MS) / closeAt(fromMs))
        return sum + share * Math.expm1((move / (past.get(fromMs) ?? 1)) * now)
      }, 0),
    )
    return { end: worths.at(-1) ?? 0, low: Math.min(...worths) }
  })
}

test('a bot that holds coins has the range and the chances of its own coins', async () => {
  const id = await botOf('hold')
  await world.hours(5)
  const { nextDay, holdings } = await performanceOf(id)
  const [values, cash] = [holdings.map(({ value }) => +value), holdings.map((one) => +one.cash)]
  const worth = [...values, ...cash].reduce((sum, each) => sum + each, 0)
  const days = plainDays(
    PAIRS.map((pair) => values[holdings.findIndex((one) => one.pair === pair)] ?? 0).map(
      (value) => value / worth,
    ),
  )
  const ends = days.map(({ end }) => end).toSorted((one, other) => one - other)
  expect(Number(nextDay?.low)).toBeCloseTo(100 * (ends[36] ?? 0), 1)
  expect(Number(nextDay?.high)).toBeCloseTo(100 * (ends[327] ?? 0), 1)
  const falls = [0.01, 0.02, 0.03].map(
    (fall) => (100 * days.filter(({ low }) => low <= -fall).length) / days.length,
  )
  for (const [index, share] of falls.entries())
    expect(Math.abs((nextDay?.falls[index] ?? 0) - share)).toBeLessThanOrEqual(0.6)
  expect(falls[0]).toBeGreaterThan(5)
})

test('a bot all in cash has no range', async () => {
  const id = await botOf('hold')
  expect((await performanceOf(id)).nextDay).toBeNull()
})

test('a new bot has the range of the coins that its strategy wants now', async () => {
  const forecast = (strategy: string, pairs = PAIRS.join(',')) =>
    ada.ask('getBotForecast', { query: { strategy, pairs } })
  const ranges = await Promise.all(
    ['hold', 'balanced-aggressive', 'balanced-conservative'].map((strategy) => forecast(strategy)),
  )
  const widths = ranges.map(({ body }) => Number(body.nextDay?.high) - Number(body.nextDay?.low))
  expect(widths).toEqual(widths.toSorted((one, other) => other - one))
  expect(new Set(widths).size).toBe(3)
  const days = plainDays([0.5, 0.5]).map(({ end }) => end)
  const low = days.toSorted((one, other) => one - other)[36] ?? 0
  expect(Number(ranges[0]?.body.nextDay?.low)).toBeCloseTo(100 * low, 1)
  expect(ranges.map(({ body }) => body.isInCash)).toEqual([false, false, false])
  expect(await forecast('hold', 'BTC/USDT,BTC/USDT')).toMatchObject({
    body: { code: 'bot-pairs-duplicate' },
  })
  await world.context.sql`delete from strategy_exposures where pair = 'ETH/USDT'`
  const undecided = { isInCash: false, nextDay: null }
  for (const pairs of ['ETH/USDT', PAIRS.join(',')])
    expect((await forecast('hold', pairs)).body).toEqual(undecided)
})
