import { afterAll, beforeAll, expect, test } from 'vitest'
import { swingAfter } from '#core/forecast/outlook.ts'
import { DAY_MS, floorHour, HOUR_MS } from '#core/market/candle.ts'
import { countBefore } from '#core/market/candle-series.ts'
import type { Pair } from '#core/market/pair.ts'
import { newestModel } from '#server/market/forecast-at.ts'
import { createWorld, type TestUser, type World } from './world.ts'

/** The range of the next day of a whole bot, beside a plain computation from closed candles. */

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

/** Each past day again with today's coins: a year of midnights, hour by hour. */
function plainDays(shares: readonly number[]): { end: number; low: number }[] {
  const nowMs = floorHour(world.context.market.now().getTime())
  const coins = PAIRS.map((pair, which) => {
    const series = world.context.candles.until(pair, nowMs)
    const swingAt = (timeMs: number) =>
      swingAfter(newestModel(), { series, count: countBefore(series, timeMs) }) ?? 0
    const closeAt = (timeMs: number) => series.closeSignal[countBefore(series, timeMs) - 1] ?? 0
    return { share: shares[which] ?? 0, swingAt, closeAt, now: swingAt(nowMs) }
  })
  return Array.from({ length: 365 }, (_, index) => {
    const fromMs = Math.floor(nowMs / DAY_MS) * DAY_MS - (index + 1) * DAY_MS
    const swings = coins.map(({ swingAt }) => swingAt(fromMs))
    const worths = Array.from({ length: 24 }, (_hour, hour) =>
      coins.reduce((sum, { share, closeAt, now }, which) => {
        const move = Math.log(closeAt(fromMs + (hour + 1) * HOUR_MS) / closeAt(fromMs))
        return sum + share * Math.expm1((move / (swings[which] ?? 1)) * now)
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
