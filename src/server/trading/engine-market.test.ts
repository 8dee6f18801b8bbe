import { expect, test } from 'vitest'
import { DAY_MS } from '#core/market/candle.ts'
import type { Pair } from '#core/market/pair.ts'
import { openCandles } from '#server/market/candle-cache.ts'
import { simulatedFeed } from '#server/market/feed-simulated.ts'
import { openMarket } from './engine-market.ts'

const PAIR: Pair = 'BTC/USDT'
const SIMULATED = simulatedFeed({ seed: 7 })
const FEED = {
  ...SIMULATED,
  pairs: [PAIR],
  candles: (request: Parameters<typeof SIMULATED.candles>[0]) => {
    if (request.pair !== PAIR) throw new Error(`no candles of ${request.pair}`)
    return SIMULATED.candles(request)
  },
}
const NOON_MS = Date.UTC(2025, 3, 1, 12)

const open = () =>
  openMarket({
    feed: FEED,
    candles: openCandles(FEED),
    costs: { feeBps: 10, halfSpreadBps: 2, slippageBps: 3 },
  })

test('a prepared market, or one set back, has the same target exposures as a fresh one', () => {
  const [alone, prepared, ahead] = [open(), open(), open()]
  alone.moveTo(NOON_MS)
  prepared.prepare(PAIR, NOON_MS - DAY_MS)
  prepared.moveTo(NOON_MS)
  ahead.moveTo(NOON_MS + 30 * DAY_MS)
  expect(ahead.wants(PAIR)).not.toEqual(alone.wants(PAIR))
  ahead.moveTo(NOON_MS)
  expect([prepared.wants(PAIR), ahead.wants(PAIR)]).toEqual([alone.wants(PAIR), alone.wants(PAIR)])
})

test('a pair that the market lacks has no price, target exposure or close', () => {
  const market = open()
  market.moveTo(NOON_MS)
  expect(market.closeOfHour(PAIR)).toBeGreaterThan(0n)
  const other: Pair = 'ADA/USDT'
  expect([market.price(other), market.wants(other), market.closeOfHour(other)]).toEqual([
    undefined,
    [],
    undefined,
  ])
})
