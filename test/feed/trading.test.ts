import { afterEach, expect, test } from 'vitest'
import { floorHour, HOUR_MS } from '#core/market/candle.ts'
import { decimalToUnits } from '#core/money/decimal.ts'
import { reconcile } from '#server/ledger/reconcile.ts'
import { until } from '../faults/processes.ts'
import { createWorld, type World } from '../world/world.ts'
import type { ExchangeMarket } from '../emulators/exchange-state.ts'
import type { PrintedCandle } from '../emulators/exchange-candles.ts'
import { rising } from './candles.ts'
import { closedPairs, createLiveWorld, isComplete, type LiveWorld } from './live.ts'

let live: LiveWorld | undefined
let world: World | undefined
afterEach(async () => {
  await world?.close()
  await live?.close()
})

/** A candle that lost three tenths: enough to end every trend. */
function fallen(candle: PrintedCandle, { priceDecimals }: ExchangeMarket): PrintedCandle {
  const close = (Number(candle.open) * 0.7).toFixed(priceDecimals)
  return { ...candle, low: close, close }
}

async function begin(): Promise<{ live: LiveWorld; world: World; goOn: () => Promise<void> }> {
  live = await createLiveWorld({
    prepare: ({ market, clock }) => (market.faults.candles = rising(clock.nowMs())),
  })
  const { exchange, feed, live: followed } = live
  world = await createWorld({ feed, context: { now: () => new Date(exchange.clock.nowMs()) } })
  const product = world
  const goOn = async () => {
    await product.engine.advanceTo(followed.nowMs())
    await product.context.market.refresh()
  }
  return { live, world: product, goOn }
}

const whole = (one: LiveWorld) =>
  until(() => isComplete(one), { timeoutMs: 180_000, complaint: () => closedPairs(one).join() })

test('bots trade at the current price, wait while it is stale, and trade again', async () => {
  const { live, world, goOn } = await begin()
  const { exchange } = live
  await whole(live)
  await goOn()
  const ada = await world.user()
  await ada.deposit('1000')
  const create = (name: string) =>
    ada.call('createBot', {
      body: { name, riskLevel: 'aggressive', tradingPairs: ['BTC/USDT'], investmentAmount: '100' },
    })
  const first = await create('First')
  await world.serve()
  const [trade] = (await ada.call('listBotTrades', { params: { id: first.id } })).items
  const halfAPercent = (price: bigint) => price / 200n
  const quoted = live.live.quote('BTC/USDT')?.price ?? 0n
  const paid = decimalToUnits(trade?.price ?? '0')
  expect(paid > quoted && paid < quoted + halfAPercent(quoted)).toBe(true)
  expect(trade?.reason).toContain('2 of 4 trends are up')

  exchange.market.hush(true)
  exchange.market.faults.failing = ['Ticker']
  await until(() => closedPairs(live).length === 12, {
    timeoutMs: 180_000,
    complaint: () => 'prices stayed fresh',
  })
  await goOn()
  const second = await create('Second')
  await world.serve()
  await goOn()
  expect((await ada.call('listBotTrades', { params: { id: second.id } })).items).toEqual([])
  const shown = (await ada.call('getPrices'))['BTC']
  expect(shown).toMatchObject({ stale: true, price: '60000.00000000' })
  expect(Date.parse(shown?.at ?? '')).toBe(live.live.quote('BTC/USDT')?.atMs)
  const health = (await world.app.inject('/health')).json<{
    stalePairs: string[]
    feedAges: Record<string, number>
  }>()
  expect(health.stalePairs).toHaveLength(12)
  expect(health.feedAges['BTC/USDT']).toBeGreaterThan(0)
  const metrics = (await world.app.inject('/metrics')).body
  expect(metrics).toMatch(/feed_pair_age_seconds\{pair="BTC\/USDT"\} [\d.]+/)
  expect(metrics).toMatch(/feed_updates_total [1-9]\d*/)
  expect(metrics).toMatch(/feed_reconnects_total \d+/)

  exchange.market.hush(false)
  exchange.market.faults.failing = []
  exchange.market.trade('BTC/USD', '60600.0')
  await whole(live)
  await goOn()
  const [late] = (await ada.call('listBotTrades', { params: { id: second.id } })).items
  expect(decimalToUnits(late?.price ?? '0') > decimalToUnits('60600')).toBe(true)
  expect((await ada.call('getPrices'))['BTC']).toMatchObject({
    stale: false,
    price: '60600.00000000',
  })
  expect(await reconcile(world.context)).toEqual([])
})

test('missed hours are not traded: the latest decides once, at the current price', async () => {
  const { live, world, goOn } = await begin()
  const { exchange } = live
  await whole(live)
  await goOn()
  const ada = await world.user()
  await ada.deposit('1000')
  const bot = await ada.call('createBot', {
    body: {
      name: 'One',
      riskLevel: 'aggressive',
      tradingPairs: ['ETH/USDT'],
      investmentAmount: '100',
    },
  })
  await world.serve()
  const before = (await ada.call('listBotTrades', { params: { id: bot.id } })).items.length
  const topMs = exchange.clock.nowMs()
  exchange.market.faults.candles = (candles, market) =>
    rising(topMs)(candles, market).map((candle) =>
      candle.openTimeMs < topMs ? candle : fallen(candle, market),
    )
  exchange.clock.jumpBy(5 * HOUR_MS)
  exchange.market.trade('ETH/USD', '1500.00')
  await whole(live)
  await goOn()
  const trades = (await ada.call('listBotTrades', { params: { id: bot.id } })).items
  expect(trades.length).toBe(before + 1)
  const price = decimalToUnits(trades[0]?.price ?? '0')
  expect(trades[0]?.side).toBe('sell')
  expect(price > decimalToUnits('1490') && price < decimalToUnits('1500')).toBe(true)

  // One hour with a price above all before, then back: strategies that traded within each hour
  // would buy and sell.
  const spikeMs = floorHour(exchange.clock.nowMs()) + HOUR_MS
  exchange.market.faults.candles = (candles, market) =>
    rising(topMs)(candles, market).map((candle) =>
      candle.openTimeMs < topMs || candle.openTimeMs === spikeMs ? candle : fallen(candle, market),
    )
  exchange.clock.jumpBy(4 * HOUR_MS)
  exchange.market.tradeAll()
  await whole(live)
  await goOn()
  expect((await ada.call('listBotTrades', { params: { id: bot.id } })).items.length).toBe(
    trades.length,
  )
  await world.restartEngine()
  await goOn()
  expect((await ada.call('listBotTrades', { params: { id: bot.id } })).items.length).toBe(
    trades.length,
  )
  expect(await reconcile(world.context)).toEqual([])
})

test('a server started just after an hour shows prices while candles are missing', async () => {
  const hourMs = Date.UTC(2026, 2, 10, 15)
  const hidesLast = (exchange: LiveWorld['exchange']) => {
    exchange.market.faults.candles = (candles, { symbol }) =>
      candles.filter(({ openTimeMs }) => openTimeMs < hourMs - HOUR_MS || symbol === 'ETH/USD')
  }
  live = await createLiveWorld({
    startMs: hourMs + 1_000,
    prepare: hidesLast,
    timings: { graceMs: 600_000 },
  })
  const { exchange, feed, live: followed } = live
  world = await createWorld({ feed, context: { now: () => new Date(exchange.clock.nowMs()) } })
  const product = world
  await until(() => followed.candleCount() > 12 * 700 && followed.quote('BTC/USDT') !== undefined, {
    timeoutMs: 180_000,
    complaint: () => String(followed.candleCount()),
  })
  const ada = await product.user()
  const shownAfter = async () => {
    await product.engine.advanceTo(followed.nowMs())
    await product.context.market.refresh()
    return (await ada.call('getPrices'))['BTC']?.price
  }
  expect(await shownAfter()).toBe('60000.00000000')
  exchange.market.trade('BTC/USD', '61234.5')
  await until(() => followed.quote('BTC/USDT')?.price === decimalToUnits('61234.5'), {
    timeoutMs: 180_000,
    complaint: () => 'the trade was not received',
  })
  expect(await shownAfter()).toBe('61234.50000000')
  expect(followed.closedUntilMs()).toBe(hourMs - HOUR_MS)
  const [clock] = await product.context.sql<
    { settledTime: Date }[]
  >`select settled_time from market_clock`
  expect(clock?.settledTime.getTime(), 'the settled hour never goes back').toBeGreaterThanOrEqual(
    hourMs,
  )
})
