import { expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '#core/market/candle.ts'
import { simulatedCandles } from '#core/market/simulated-market.ts'
import { findTexts, recordRangeDay } from '#server/market/range-days.ts'
import { until } from '../faults/processes.ts'
import { createWorld } from '../world/world.ts'
import { openLiveWorld, THIS_HOUR_MS, untilWhole } from './live.ts'

const COUNT = 100 * 24
const MIDNIGHT = Date.UTC(2026, 2, 11)

test('on a live market the next midnight is recorded once its candles are there', async () => {
  const fromMs = THIS_HOUR_MS - 719 * HOUR_MS - COUNT * HOUR_MS
  const live = await openLiveWorld({
    recorded: (pair) =>
      pair === 'BTC/USDT' ? simulatedCandles({ seed: 1, pair, fromMs, count: COUNT }) : undefined,
  })
  const { exchange, feed, store } = live
  await untilWhole(live)
  await until(() => store.series('BTC/USDT').length > COUNT, {
    timeoutMs: 60_000,
    complaint: () => 'the years before are missing',
  })
  const world = await createWorld({
    feed,
    context: { now: () => new Date(exchange.clock.nowMs()) },
  })
  const linesOf = async () => (await findTexts(world.context.sql)).map((text) => JSON.parse(text))
  await recordRangeDay(world.context)
  const [today, ...others] = await linesOf()
  expect(others).toEqual([])
  expect(today).toMatchObject({ timeMs: MIDNIGHT - DAY_MS, forecasts: [], outcomes: [] })
  expect(today.model.learnedFrom).toEqual([])
  exchange.clock.jumpBy(MIDNIGHT + 5 * 60_000 - exchange.clock.nowMs())
  await until(
    () => live.live.closedUntilMs() === MIDNIGHT && store.has('BTC/USDT', MIDNIGHT - HOUR_MS),
    {
      timeoutMs: 30_000,
      complaint: () => 'the candles before midnight are missing',
    },
  )
  await until(
    async () => {
      await recordRangeDay(world.context)
      return (await linesOf()).length > 1
    },
    { timeoutMs: 30_000, complaint: () => 'midnight is not recorded' },
  )
  const [, next] = await linesOf()
  expect(next).toMatchObject({ timeMs: MIDNIGHT, forecasts: [{ pair: 'BTC/USDT' }] })
  expect(next.madeAtMs - MIDNIGHT).toBeLessThan(HOUR_MS)
  await world.close()
})
