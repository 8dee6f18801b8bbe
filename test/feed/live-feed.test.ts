import { afterEach, expect, test } from 'vitest'
import { HOUR_MS } from '#core/market/candle.ts'
import { PAIRS } from '#core/market/pair.ts'
import { until } from '../faults/processes.ts'
import { candleFaults } from './candles.ts'
import { closedPairs, createLiveWorld, isWhole, type LiveOptions, type LiveWorld } from './live.ts'

/** Half past two in the afternoon, so that no hour closes unless a test says so. */
const START_MS = Date.UTC(2026, 2, 10, 14, 30)
const THIS_HOUR_MS = Date.UTC(2026, 2, 10, 14)

const worlds: LiveWorld[] = []
const open = async (options: LiveOptions = {}): Promise<LiveWorld> => {
  const world = await createLiveWorld({ startMs: START_MS, ...options })
  worlds.push(world)
  return world
}
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close()
})

const whole = (world: Pick<LiveWorld, 'live'>) => until(() => isWhole(world), { timeoutMs: 20_000, complaint: () => `closed: ${closedPairs(world).join()}; ${JSON.stringify(world.live.report())}` })

test('a new book has the candles of every pair that the exchange gives, and trades on none before', async () => {
  const world = await open()
  expect(closedPairs(world)).toEqual([...PAIRS])
  await whole(world)
  const faults = candleFaults(world, { fromMs: THIS_HOUR_MS - 719 * HOUR_MS, untilMs: THIS_HOUR_MS })
  expect(faults).toEqual([])
  expect(world.live.closedUntilMs()).toBe(THIS_HOUR_MS)
  expect(world.feed.label).toBe('Live prices from Kraken (USD), paper money')
  expect(Math.abs(world.live.nowMs() - world.exchange.clock.nowMs())).toBeLessThan(2_000)
})

test('an hour is waited for until its candles are there, and only closed ones are kept', async () => {
  const world = await open()
  await whole(world)
  world.exchange.market.faults.hanging = ['OHLC']
  world.exchange.clock.jumpBy(30 * 60_000 + 200)
  await until(() => world.live.nowMs() > THIS_HOUR_MS + HOUR_MS, { timeoutMs: 5_000, complaint: () => 'the clock did not follow' })
  expect(world.live.closedUntilMs()).toBe(THIS_HOUR_MS)
  expect(closedPairs(world)).toEqual([...PAIRS])
  world.exchange.market.faults.hanging = []
  await whole(world)
  expect(world.live.closedUntilMs()).toBe(THIS_HOUR_MS + HOUR_MS)
  expect(candleFaults(world, { fromMs: THIS_HOUR_MS - 700 * HOUR_MS, untilMs: THIS_HOUR_MS + HOUR_MS })).toEqual([])
  expect(PAIRS.some((pair) => world.store.has(pair, THIS_HOUR_MS + HOUR_MS))).toBe(false)
})
