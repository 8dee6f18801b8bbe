import { expect, test } from 'vitest'
import { setTimeout as delay } from 'node:timers/promises'
import { HOUR_MS } from '#core/market/candle.ts'
import { candleAt } from '#core/market/candle-series.ts'
import { PAIRS } from '#core/market/pair.ts'
import { marketSource } from '#server/exchange/market-source.ts'
import { until } from '../faults/processes.ts'
import { candleFaults } from './candles.ts'
import {
  closedPairs,
  FAST,
  openLiveWorld,
  THIS_HOUR_MS,
  untilWhole,
  type LiveWorld,
} from './live.ts'

const HISTORY_MS = 700 * HOUR_MS

/** Two attempts are a second apart; a timer may be a tick early. */
const LEAST_GAP_MS = 990

/** Slow enough that a busy machine's delays are small beside it. */
const CALM = { expectedIntervalMs: 2_000 }

/** The shortest time between two attempts at a connection. */
const shortestGap = ({ exchange }: LiveWorld): number => {
  const asked = exchange.market.socketsAskedMs
  return Math.min(...asked.slice(1).map((atMs, index) => atMs - (asked[index] ?? 0)))
}

test('a connection closed every 1.5 s is reopened at most once a second', async () => {
  const world = await openLiveWorld()
  await untilWhole(world)
  world.exchange.market.faults.closesAfterMs = 1_500
  for (const socket of world.exchange.market.sockets()) socket.close()
  const forMs = 7_000
  const endsMs = Date.now() + forMs
  let [looks, stale] = [0, 0]
  while (Date.now() < endsMs) {
    await delay(50)
    looks += 1
    if (closedPairs(world).length > 0) stale += 1
  }
  const attempts = world.exchange.market.socketsAskedMs.length
  console.log(
    `closed every 1.5 s: ${attempts} attempts in ${forMs / 1_000} s, the closest ` +
      `${shortestGap(world)} ms apart; a price was stale at ${stale} of ${looks} looks`,
  )
  expect(shortestGap(world)).toBeGreaterThanOrEqual(LEAST_GAP_MS)
  expect(attempts).toBeGreaterThan(2)
  expect(stale).toBeLessThan(looks / 2)
  world.exchange.market.faults.closesAfterMs = undefined
  await untilWhole(world)
})

test('a connection with pings but without prices is detected in three intervals', async () => {
  const world = await openLiveWorld({ timings: CALM })
  await untilWhole(world)
  world.exchange.market.faults.failing = ['Ticker']
  const before = world.exchange.market.socketsAskedMs.length
  world.exchange.market.hush(true)
  const isDropped = () =>
    world.exchange.market.sockets().length === 0 ||
    world.exchange.market.socketsAskedMs.length > before
  const [staleMs, droppedMs] = await Promise.all([
    until(() => closedPairs(world).length === PAIRS.length, {
      timeoutMs: 180_000,
      complaint: () => 'prices stayed fresh',
    }),
    until(isDropped, { timeoutMs: 180_000, complaint: () => 'the connection was kept' }),
  ])
  const intervals = (ms: number) => (ms / CALM.expectedIntervalMs).toFixed(2)
  console.log(
    `silent but answering pings: prices stale after ${intervals(staleMs)} expected intervals, ` +
      `the connection dropped after ${intervals(droppedMs)}`,
  )
  expect(staleMs).toBeLessThanOrEqual(3 * CALM.expectedIntervalMs)
  expect(droppedMs).toBeLessThanOrEqual(3 * CALM.expectedIntervalMs)
  world.exchange.market.hush(false)
  world.exchange.market.faults.failing = []
  await untilWhole(world)
  expect(shortestGap(world)).toBeGreaterThanOrEqual(LEAST_GAP_MS)
})

test('while the connection is silent but the exchange responds, prices are polled', async () => {
  const world = await openLiveWorld()
  await untilWhole(world)
  world.exchange.market.hush(true)
  for (const socket of world.exchange.market.sockets()) socket.close()
  await delay(2_000)
  world.exchange.market.trade('BTC/USD', '61234.5')
  await until(() => world.live.quote('BTC/USDT')?.price === 6_123_450_000_000n, {
    timeoutMs: 180_000,
    complaint: () => 'prices were not polled',
  })
  await untilWhole(world)
})

test('if the price of one pair moves without an update, the connection is reopened', async () => {
  const world = await openLiveWorld()
  await untilWhole(world)
  const market = world.exchange.markets.get('XETHZUSD')
  if (!market) throw new Error('no market of ETH')
  market.symbol = 'ETH/USD (renamed)'
  market.lastPrice = '3111.00'
  const before = world.exchange.market.socketsAskedMs.length
  await until(() => world.exchange.market.socketsAskedMs.length > before, {
    timeoutMs: 180_000,
    complaint: () => 'the connection was kept',
  })
  expect(world.live.quote('ETH/USDT')?.price).toBe(311_100_000_000n)
})

test.each(['kraken', 'binance', 'coinbase'] as const)(
  '%s: a removed symbol does not stop the prices of the others',
  async (name) => {
    const world = await openLiveWorld({ name })
    const { exchange, live } = world
    await untilWhole(world)
    const source = marketSource({ ...exchange, rateLimitMs: 1 })
    await source.load()
    const [bitcoin, ether] = [...exchange.markets.values()]
    exchange.markets.delete(bitcoin?.id ?? '')
    const others = PAIRS.filter((pair) => pair !== 'BTC/USDT')
    expect([...(await source.prices(PAIRS)).keys()].toSorted()).toEqual(others.toSorted())
    await source.load()
    expect(await source.candles({ pair: 'BTC/USDT', fromMs: THIS_HOUR_MS })).toEqual([])
    const untilOnlyOthers = (isSo: () => boolean) =>
      until(() => isSo() && closedPairs(world).join() === 'BTC/USDT', {
        timeoutMs: 60_000,
        complaint: () => `closed: ${closedPairs(world).join()}; ${JSON.stringify(live.report())}`,
      })
    exchange.market.hush(true)
    exchange.market.trade(ether?.symbol ?? '', '3111.5')
    await untilOnlyOthers(() => live.quote('ETH/USDT')?.price === 311_150_000_000n)
    exchange.market.hush(false)
    for (const socket of exchange.market.sockets()) socket.close()
    const { reconnects } = live.report()
    await untilOnlyOthers(() => live.report().reconnects > reconnects && live.report().connected)
  },
)

test('markets that cannot be loaded are requested at growing intervals', async () => {
  const world = await openLiveWorld({ follows: false })
  world.exchange.market.faults.failing = ['AssetPairs']
  const beganMs = performance.now()
  const { live, store, stop } = await world.again()
  const asked = () => world.exchange.market.calls.filter((name) => name === 'AssetPairs').length
  await until(() => asked() >= 4, {
    timeoutMs: 180_000,
    complaint: () => `requested ${asked()} times`,
  })
  const [times, tookMs] = [asked(), performance.now() - beganMs]
  console.log(`failing loadMarkets: asked ${times} times in ${Math.round(tookMs)} ms`)
  expect(tookMs, 'at least a second between two requests').toBeGreaterThanOrEqual(
    (times - 1) * LEAST_GAP_MS,
  )
  world.exchange.market.faults.failing = []
  await untilWhole({ live })
  expect(
    candleFaults({ ...world, store }, { fromMs: THIS_HOUR_MS - HISTORY_MS, untilMs: THIS_HOUR_MS }),
  ).toEqual([])
  await stop()
})

test("the first version of each hour's candle is stored, whatever arrives later", async () => {
  const world = await openLiveWorld()
  const { faults } = world.exchange.market
  faults.candles = (candles) => [...candles.toReversed(), ...candles]
  await untilWhole(world)
  const fromMs = THIS_HOUR_MS - HISTORY_MS
  expect(candleFaults(world, { fromMs, untilMs: THIS_HOUR_MS })).toEqual([])
  faults.candles = (candles) =>
    candles.map((candle) =>
      candle.openTimeMs < THIS_HOUR_MS ? { ...candle, close: candle.high } : candle,
    )
  world.exchange.clock.jumpBy(HOUR_MS)
  await until(() => PAIRS.every((pair) => world.store.has(pair, THIS_HOUR_MS)), {
    timeoutMs: 180_000,
    complaint: () => 'the next hour did not come',
  })
  console.log(`corrected candles: ${world.live.report().corrections} were told and not taken`)
  expect(world.live.report().corrections).toBeGreaterThanOrEqual(PAIRS.length)
  expect(candleFaults(world, { fromMs, untilMs: THIS_HOUR_MS + HOUR_MS })).toEqual([])
})

test('a missing hour remains a hole, and its pair waits until the exchange sends it', async () => {
  const world = await openLiveWorld()
  const { faults } = world.exchange.market
  faults.candles = (candles, { symbol }) =>
    candles.filter(
      ({ openTimeMs }) => symbol !== 'SOL/USD' || openTimeMs !== THIS_HOUR_MS - HOUR_MS,
    )
  await until(() => closedPairs(world).length === 1, {
    timeoutMs: 180_000,
    complaint: () => closedPairs(world).join(),
  })
  expect(closedPairs(world)).toEqual(['SOL/USDT'])
  expect(world.live.closedUntilMs()).toBe(THIS_HOUR_MS)
  faults.candles = (candles) => candles
  await untilWhole(world)
  expect(candleFaults(world, { fromMs: THIS_HOUR_MS - HISTORY_MS, untilMs: THIS_HOUR_MS })).toEqual(
    [],
  )
})

test('after an outage of an hour every candle is stored once, also by a restart', async () => {
  const world = await openLiveWorld()
  await untilWhole(world)
  const { market, clock } = world.exchange
  market.faults.refusesSockets = true
  market.faults.failing = ['OHLC', 'Ticker', 'Time', 'AssetPairs']
  for (const socket of market.sockets()) socket.terminate()
  const forMs = 5_000
  for (let step = 0; step < 13; step += 1) {
    await delay(forMs / 13)
    clock.jumpBy(5 * 60_000)
  }
  expect(closedPairs(world)).toEqual([...PAIRS])
  const attempts = market.socketsAskedMs.length
  Object.assign(market.faults, { refusesSockets: false, failing: [] })
  const recoveredMs = await untilWhole(world)
  const hours = { fromMs: THIS_HOUR_MS - HISTORY_MS, untilMs: THIS_HOUR_MS + HOUR_MS }
  console.log(
    `an outage of 65 minutes in ${forMs / 1_000} s: ${attempts} attempts, the closest ` +
      `${shortestGap(world)} ms apart; whole again ${Math.round(recoveredMs)} ms after; ` +
      `${candleFaults(world, hours).length} candles lost, doubled or wrong`,
  )
  expect(candleFaults(world, hours)).toEqual([])
  expect(shortestGap(world)).toBeGreaterThanOrEqual(LEAST_GAP_MS)
  const { store, stop } = await world.again()
  for (const pair of PAIRS) {
    const [before, after] = [world.store.series(pair), store.series(pair)]
    expect(after.length).toBe(before.length)
    for (let index = 0; index < before.length; index += 1)
      expect(candleAt(after, index)).toEqual(candleAt(before, index))
  }
  await stop()
})

test('a machine whose clock is half a minute off logs that and sends no orders', async () => {
  const world = await openLiveWorld({ follows: false })
  let offMs = FAST.mostSkewMs + 5_000
  const wrong = await openLiveWorld({ now: () => new Date(world.exchange.clock.nowMs() + offMs) })
  await until(
    () =>
      wrong.live.quote('BTC/USDT') !== undefined &&
      wrong.store.has('BTC/USDT', THIS_HOUR_MS - HOUR_MS),
    { timeoutMs: 180_000, complaint: () => 'no prices' },
  )
  expect(closedPairs(wrong)).toEqual([...PAIRS])
  expect(Math.abs((wrong.live.report().clockOffsetMs ?? 0) + offMs)).toBeLessThan(2_000)
  offMs = 0
  await untilWhole(wrong)
})
