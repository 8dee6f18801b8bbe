import { inEnglish } from '#core/sentences.ts'
import { expect, test } from 'vitest'
import { HOUR_MS } from '#core/market/candle.ts'
import { PAIRS } from '#core/market/pair.ts'
import { until } from '../faults/processes.ts'
import { candleFaults } from './candles.ts'
import { closedPairs, openLiveWorld, THIS_HOUR_MS, untilWhole } from './live.ts'

test('a new book loads all candles of the exchange before it trades on a pair', async () => {
  const world = await openLiveWorld()
  expect(closedPairs(world)).toEqual([...PAIRS])
  await untilWhole(world)
  const faults = candleFaults(world, {
    fromMs: THIS_HOUR_MS - 719 * HOUR_MS,
    untilMs: THIS_HOUR_MS,
  })
  expect(faults).toEqual([])
  expect(world.live.closedUntilMs()).toBe(THIS_HOUR_MS)
  expect(inEnglish(world.feed.label)).toBe('Live prices from Kraken (USD), paper money')
  expect(Math.abs(world.live.nowMs() - world.exchange.clock.nowMs())).toBeLessThan(2_000)
})

test('the clock waits for the candles of an hour, and only closed ones are stored', async () => {
  const world = await openLiveWorld()
  await untilWhole(world)
  world.exchange.market.faults.hanging = ['OHLC']
  world.exchange.clock.jumpBy(30 * 60_000 + 200)
  await until(() => world.live.nowMs() > THIS_HOUR_MS + HOUR_MS, {
    timeoutMs: 5_000,
    complaint: () => 'the clock did not follow',
  })
  expect(world.live.closedUntilMs()).toBe(THIS_HOUR_MS)
  expect(closedPairs(world)).toEqual([...PAIRS])
  world.exchange.market.faults.hanging = []
  await untilWhole(world)
  expect(world.live.closedUntilMs()).toBe(THIS_HOUR_MS + HOUR_MS)
  expect(
    candleFaults(world, { fromMs: THIS_HOUR_MS - 700 * HOUR_MS, untilMs: THIS_HOUR_MS + HOUR_MS }),
  ).toEqual([])
  expect(PAIRS.some((pair) => world.store.has(pair, THIS_HOUR_MS + HOUR_MS))).toBe(false)
})
