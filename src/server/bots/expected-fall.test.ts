import { afterAll, beforeAll, expect, test } from 'vitest'
import type { NoticeDetails } from '#core/notices/notice.ts'
import { DAY_MS, HOUR_MS } from '#core/market/candle.ts'
import { countBefore } from '#core/market/candle-series.ts'
import type { Pair } from '#core/market/pair.ts'
import { simulatedFeed } from '#server/market/feed-simulated.ts'
import { expectedFallAt } from '#server/market/next-day.ts'
import type { Candles } from '#server/ports/market-view.ts'
import { createWorld, type TestUser, type World } from '../../../test/world/world.ts'

/**
 * The notice of a guard that stops a falling bot, with the chance that the forecast before it gave.
 */

const PAIRS: readonly Pair[] = ['BTC/USDT', 'ETH/USDT']
let world: World
let user: TestUser
beforeAll(async () => {
  // Like a recorded market, after the model's last training and before prices fall.
  const feed = { ...simulatedFeed({ seed: 7 }), kind: 'replay', beginMs: () => BEGIN_MS } as const
  world = await createWorld({ feed })
  user = await world.user()
  await user.deposit('5000')
})
afterAll(() => world.close())

const BEGIN_MS = Date.UTC(2025, 10, 17)

const holding = (name: string) =>
  user.call('createBot', {
    body: {
      name,
      strategy: 'hold',
      tradingPairs: PAIRS,
      investmentAmount: '500',
      guards: { dailyLossPercent: 2 },
    },
  })

const closeOf = (pair: Pair, atMs: number) => {
  const series = world.context.candles.until(pair, atMs)
  return series.closeSignal[countBefore(series, atMs) - 1] ?? 0
}

/** Candles that fall to a tenth from a time on, so that a forecast that sees them differs. */
const crashedFrom = (timeMs: number): Candles => ({
  until: (pair) => {
    const series = world.context.candles.until(pair, timeMs + DAY_MS)
    const known = countBefore(series, timeMs)
    const later = (price: number, index: number) => (index < known ? price : price / 10)
    return { ...series, closeSignal: series.closeSignal.map(later) }
  },
})

/** The details of the notice that a bot was stopped, once both are. */
async function untilStopped(ids: readonly [string, string]): Promise<NoticeDetails[]> {
  for (let hour = 0; hour < 200; hour += 1) {
    const { items } = await user.call('listNotices')
    const stops = items.filter(({ kind }) => kind === 'daily-loss')
    const found = ids.map((id) => stops.find(({ details }) => details['botId'] === id)?.details)
    if (found[0] && found[1]) return [found[0], found[1]]
    const added = { params: { id: ids[1] }, body: { amount: '10' }, key: `added-${hour}` }
    if (hour % 24 === 0) await user.call('topUpBot', added)
    await world.hours(1)
  }
  return []
}

test('the notice has the fall since midnight, and how often one was forecast', async () => {
  const [{ id }, added] = [await holding('Held'), await holding('Added')]
  await world.hours(25)
  const [details = {}, ofAdded] = await untilStopped([id, added.id])
  const sinceMs = Date.parse(`${details['since']?.replace(' ', 'T')}Z`)
  const stop = (await user.call('listBots')).find((bot) => bot.id === id)?.stop
  const fellHours = (Date.parse(stop?.at ?? '') - sinceMs) / HOUR_MS
  expect([sinceMs % DAY_MS, fellHours > 0, fellHours <= 24]).toEqual([0, true, true])

  // A bot with only coins moves as they do, so its worth follows from its two purchases.
  const { items } = await user.call('listBotTrades', { params: { id } })
  const valuesAt = (atMs: number) =>
    PAIRS.map((pair) => {
      const bought = items.find((one) => one.tradingPair === pair && one.side === 'buy')
      return Number(bought?.quantity) * closeOf(pair, atMs)
    })
  const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0)
  const values = valuesAt(sinceMs)
  const fraction = 1 - sum(valuesAt(Date.parse(stop?.at ?? ''))) / sum(values)
  expect(fraction).toBeGreaterThan(0.015)
  expect(Number(details['fell'])).toBeCloseTo(100 * fraction, 1)
  const shares = PAIRS.map((pair, which) => [pair, (values[which] ?? 0) / sum(values)] as const)
  const said = { strategy: 'hold', shares, atMs: sinceMs, fraction } as const
  const { days = 0, of = 1 } = expectedFallAt(world.context, said) ?? {}
  const chance = Number(details['expectedDays']) / Number(details['ofDays'])
  expect(chance).toBeGreaterThan(0)
  expect(chance).toBeCloseTo(days / of, 2)

  expect(expectedFallAt({ ...world.context, candles: crashedFrom(sinceMs) }, said)).toEqual({
    days,
    of,
  })

  expect(ofAdded, 'money was put in that day').toEqual({ bot: 'Added', botId: added.id })
  const madeUp = { ...world.context, feed: { ...world.context.feed, kind: 'simulated' } } as const
  expect(expectedFallAt(madeUp, said), 'prices are made up').toBeUndefined()
  const earlier = { ...said, atMs: Date.UTC(2025, 7, 31) }
  expect(expectedFallAt(world.context, earlier), 'trained after the fall').toBeUndefined()
  expect(expectedFallAt(world.context, { ...earlier, atMs: Date.UTC(2025, 8, 1) })).toBeDefined()
  expect(expectedFallAt(world.context, { ...said, shares: [] }), 'no coins').toBeUndefined()
})
