import { inEnglish } from '#core/sentences.ts'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { swingOf, varianceOf } from '#core/forecast/model.ts'
import { squaredMoves, swingAverages, swingFeatures } from '#core/forecast/swings.ts'
import type { RangeModel } from '#core/forecast/walk-forward.ts'
import { DAY_MS, floorHour, HOUR_MS } from '#core/market/candle.ts'
import { countBefore } from '#core/market/candle-series.ts'
import { decimalToUnits } from '#core/money/decimal.ts'
import { RISK_LEVELS } from '#core/strategy/risk-level.ts'
import { explain } from '#core/strategy/reason.ts'
import { exposureChanges } from '#core/strategy/exposure-changes.ts'
import { createRisingWorld } from '../../../test/world/small-book.ts'
import type { TestUser, World } from '../../../test/world/world.ts'

let world: World
let ada: TestUser
let botIds: string[]
beforeAll(async () => {
  world = await createRisingWorld()
  ada = await world.user('ada')
  await ada.deposit('1000')
  const bots = [
    { name: 'Both', riskLevel: 'aggressive', tradingPairs: ['BTC/USDT', 'XRP/USDT'] },
    { name: 'One', riskLevel: 'moderate', tradingPairs: ['BTC/USDT'] },
  ]
  botIds = []
  for (const bot of bots)
    botIds.push((await ada.call('createBot', { body: { ...bot, investmentAmount: '200' } })).id)
  await world.hours(5)
})
afterAll(() => world.close())

const marketOf = (range: string, { id = 'BTC-USD', user = ada } = {}) =>
  user.call('getMarket', { params: { id }, query: { range } })
const btcUntilNow = () => {
  const closedMs = floorHour(world.context.market.now().getTime())
  const series = world.context.candles.until('BTC/USDT', closedMs)
  return { series, closedMs, closedCount: countBefore(series, closedMs) }
}

test.each([
  ['1D', 1, 24],
  ['1W', 2, 84],
  ['1M', 8, 90],
  ['1Y', 72, 121],
  ['All', 168, 500],
] as const)('%s has candles of %i hours, about %i of them', async (range, candleHours, most) => {
  const { candles, ...market } = await marketOf(range)
  expect(market).toMatchObject({ pair: 'BTC/USDT', range, candleHours })
  expect(candles.length).toBeGreaterThan(range === '1Y' || range === 'All' ? 10 : most - 1)
  expect(candles.length).toBeLessThanOrEqual(most + 1)
  const steps = candles
    .slice(1)
    .map(({ at }, index) => Date.parse(at) - Date.parse(candles[index]?.at ?? ''))
  expect(new Set(steps)).toEqual(new Set([candleHours * HOUR_MS]))
})

test("the candles are the closed hours of the bots' market, joined without gaps", async () => {
  const { candles, closedUntil } = await marketOf('1M')
  const { series, closedMs, closedCount } = btcUntilNow()
  expect(Date.parse(closedUntil)).toBe(closedMs)
  expect(decimalToUnits(candles.at(-1)?.close ?? '0')).toBe(series.close[closedCount - 1])
  const first = countBefore(series, Date.parse(candles[0]?.at ?? ''))
  const hours = {
    high: series.high.subarray(first, first + 8),
    low: series.low.subarray(first, first + 8),
  }
  expect(Date.parse(candles[0]?.at ?? '')).toBeGreaterThan(closedMs - 31 * DAY_MS)
  expect(candles[0]).toMatchObject({ open: expect.anything() })
  expect(decimalToUnits(candles[0]?.open ?? '0')).toBe(series.open[first])
  expect(decimalToUnits(candles[0]?.high ?? '0')).toBe(
    [...hours.high].reduce((most, high) => (high > most ? high : most), 0n),
  )
  expect(decimalToUnits(candles[0]?.low ?? '0')).toBe(
    [...hours.low].reduce((least, low) => (low < least ? low : least), hours.low[0] ?? 0n),
  )
  expect(decimalToUnits(candles[0]?.close ?? '0')).toBe(series.close[first + 7])
})

test("the newest model forecasts the next day's range, from closed hours only", async () => {
  const { series, closedCount } = btcUntilNow()
  const lines = readFileSync('data/models/range-24h.jsonl', 'utf8').trim().split('\n')
  const model = JSON.parse(lines.at(-1) ?? '') as RangeModel
  const swings = swingFeatures(swingAverages(squaredMoves(series)), closedCount - 1)
  const swing = swings ? swingOf(varianceOf(model, swings)) : 0
  const percentAt = (step: number) =>
    (100 * Math.expm1(swing * (model.moves[step - 1] ?? 0))).toFixed(2)
  expect(swing).toBeGreaterThan(0)
  expect((await marketOf('1D')).forecast).toEqual({
    low: percentAt(4),
    high: percentAt(36),
    rests: false,
  })
})

test('each risk level has its exposure and reason at the last closed hour', async () => {
  const { levels } = await marketOf('1D')
  const { series, closedCount } = btcUntilNow()
  const decided = RISK_LEVELS.flatMap((riskLevel) =>
    exposureChanges({
      strategy: `trend-${riskLevel}`,
      costs: world.context.costs,
      series,
      fromCount: closedCount,
      toCount: closedCount,
    }).map(({ exposureBps, cause }) => ({
      riskLevel,
      exposureBps,
      reason: inEnglish(explain(cause)),
    })),
  )
  expect(levels.map(({ riskLevel, reason }) => ({ riskLevel, reason }))).toEqual(
    decided.map(({ riskLevel, reason }) => ({ riskLevel, reason })),
  )
  expect(levels.map(({ wantedPercent }) => wantedPercent * 100)).toEqual(
    decided.map(({ exposureBps }) => exposureBps),
  )
  expect(levels.some(({ wantedPercent }) => wantedPercent > 0)).toBe(true)
})

test("the user's bots are listed with the next prices of their own pages", async () => {
  const ofPages = await Promise.all(
    botIds.map(async (id) => {
      const { bot, holdings } = await ada.call('getBotPerformance', { params: { id } })
      const onBtc = holdings.find(({ pair }) => pair === 'BTC/USDT')
      const wantedPercent = Number(onBtc?.wantedPercent)
      return { botId: id, botName: bot.name, wantedPercent, next: onBtc?.next }
    }),
  )
  const { bots } = await marketOf('1D')
  expect(bots.toReversed()).toEqual(ofPages)
  expect(bots.some(({ next }) => next.above !== null || next.below !== null)).toBe(true)
  expect((await marketOf('1D', { user: await world.user() })).bots).toEqual([])
})

test("the trades are all of the user's bots on this pair, and nobody else's", async () => {
  const trades = (await marketOf('1D')).trades
  const listed = (
    await Promise.all(botIds.map((id) => ada.call('listBotTrades', { params: { id } })))
  ).flatMap(({ items }) => items)
  const onBtc = listed.filter(({ tradingPair }) => tradingPair === 'BTC/USDT')
  expect(onBtc.length).toBeGreaterThan(1)
  expect(listed.length).toBeGreaterThan(onBtc.length)
  const figures = onBtc.map(
    ({ profit: _profit, status: _status, createdAt: _created, ...trade }) => ({
      ...trade,
      botName: trade.botId === botIds[0] ? 'Both' : 'One',
    }),
  )
  const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? 1 : -1)
  expect(trades.toSorted(byId)).toEqual(figures.toSorted(byId))
  expect(trades).toEqual(trades.toSorted(byId))
  expect((await marketOf('1D', { user: await world.user() })).trades).toEqual([])
})

test.each(['DOGE-USD', 'BTC-USDT', 'btc-usd', 'BTC', 'ETH-USD', '%00', "x' or 1=1"])(
  '%s is not a market here',
  async (id) => {
    expect(await ada.ask('getMarket', { params: { id } })).toMatchObject({
      status: 404,
      body: { code: 'not-found' },
    })
  },
)
