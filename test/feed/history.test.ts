import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { HOUR_MS, type Candle } from '#core/market/candle.ts'
import {
  appendCandle,
  createSeries,
  historyStart,
  type CandleSeries,
} from '#core/market/candle-series.ts'
import { hourText } from '#core/market/judge-candles.ts'
import { baseOf, type Pair } from '#core/market/pair.ts'
import { decimalToUnits } from '#core/money/decimal.ts'
import { openCompute } from '#server/compute/open-compute.ts'
import { KeptEvidence } from '#server/evidence/keep-evidence.ts'
import { openCandleArchive } from '#server/market/candle-archive.ts'
import { openCandles } from '#server/market/candle-cache.ts'
import { createTestBook } from '../world/database.ts'
import { createExchangeState } from '../emulators/exchange-state.ts'
import { candleOf } from '../emulators/exchange-candles.ts'
import { until } from '../faults/processes.ts'
import { createWorld } from '../world/world.ts'
import {
  closedPairs,
  isComplete,
  openLiveWorld,
  START_MS,
  THIS_HOUR_MS,
  untilWhole,
} from './live.ts'

/** Kraken returns 720 candles, including the running one. */
const FIRST_MS = THIS_HOUR_MS - 719 * HOUR_MS
const COSTS = { feeBps: 10, halfSpreadBps: 2, slippageBps: 5 }

/** Files with candles of `pairs` up to the one that opens before `endMs`. */
function files(
  pairs: readonly Pair[],
  { hours, endMs }: { hours: number; endMs: number },
): (pair: Pair) => CandleSeries | undefined {
  const markets = [...createExchangeState().markets.values()]
  return (pair) => {
    const market = markets.find(({ symbol }) => symbol === `${baseOf(pair)}/USD`)
    if (!market || !pairs.includes(pair)) return undefined
    const series = createSeries(hours)
    for (let hour = hours; hour > 0; hour -= 1) {
      const { openTimeMs, ...prices } = candleOf(market, endMs - hour * HOUR_MS)
      const [low, openPrice, close, high] = [
        prices.low,
        prices.open,
        prices.close,
        prices.high,
      ].map(decimalToUnits)
      if (low && openPrice && close && high)
        appendCandle(series, { openTimeMs, open: openPrice, high, low, close })
    }
    return series
  }
}

test("files that overlap the exchange's candles fill the years before", async () => {
  const world = await openLiveWorld({
    recorded: files(['BTC/USDT', 'ETH/USDT'], { hours: 10_000, endMs: FIRST_MS }),
  })
  await untilWhole(world)
  await until(() => world.store.series('ETH/USDT').length === 10_719, {
    timeoutMs: 180_000,
    complaint: () => String(world.store.series('ETH/USDT').length),
  })
  expect(world.store.series('BTC/USDT').openTimesMs[0]).toBe(FIRST_MS - 10_000 * HOUR_MS)
  expect(world.store.version('BTC/USDT')).toBeGreaterThan(0)
  const compute = openCompute()
  const evidence = new KeptEvidence({
    feed: world.feed,
    recorded: () => [],
    costs: COSTS,
    holdFeeBps: 0,
    now: () => new Date(START_MS),
    log: pino({ level: 'silent' }),
    compute,
  })
  expect(evidence.now()).toMatchObject({ state: 'computing' })
  await until(() => evidence.now().state !== 'computing', {
    timeoutMs: 180_000,
    complaint: () => 'no evidence',
  })
  expect(evidence.now()).toMatchObject({
    state: 'figures',
    feedLabel: 'Live prices from Kraken (USD), paper money',
    figures: { pairs: ['BTC/USDT', 'ETH/USDT'] },
  })
  evidence.stop()
  await compute.stop()
})

test("files with a gap before the exchange's first candle are left out", async () => {
  const world = await openLiveWorld({
    recorded: files(['BTC/USDT'], { hours: 100, endMs: FIRST_MS - HOUR_MS }),
  })
  await untilWhole(world)
  await until(() => world.exchange.market.calls.filter((name) => name === 'OHLC').length >= 24, {
    timeoutMs: 180_000,
    complaint: () => 'the past was not requested',
  })
  expect(world.store.series('BTC/USDT').length).toBe(719)
})

test('a bad candle is left out and logged; an outlier is kept once confirmed', async () => {
  const { sql, drop } = await createTestBook()
  onTestFinished(drop)
  const lines: string[] = []
  const archive = await openCandleArchive(sql, { warn: (line) => void lines.push(line) })
  const candle = (hour: number, price: bigint, high = price): Candle => ({
    openTimeMs: FIRST_MS + hour * HOUR_MS,
    open: price,
    high,
    low: price,
    close: price,
  })
  const add = (...candles: Candle[]) => archive.add({ pair: 'BTC/USDT', source: 'kraken', candles })
  const prices = () => [
    ...archive.series('BTC/USDT').close.subarray(0, archive.series('BTC/USDT').length),
  ]
  await add(candle(0, 100n), candle(1, 101n), candle(2, 102n, 50n), candle(3, 0n), candle(4, 103n))
  expect(prices()).toEqual([100n, 101n, 103n])
  await add(candle(5, 9_000n))
  await add(candle(5, 9_000n), candle(6, 104n))
  expect(prices(), 'it came back').toEqual([100n, 101n, 103n, 104n])
  await add(candle(7, 3n))
  expect(prices()).toEqual([100n, 101n, 103n, 104n])
  await add(candle(7, 3n), candle(8, 4n))
  expect(prices(), 'a crash').toEqual([100n, 101n, 103n, 104n, 3n, 4n])
  const text = (hour: number) => hourText(FIRST_MS + hour * HOUR_MS)
  expect(lines).toEqual([
    `BTC/USDT: the exchange's candle of ${text(2)} has a high below its low`,
    `BTC/USDT: the exchange's candle of ${text(3)} has a price that is not above zero`,
    `BTC/USDT: the exchange's candle of ${text(5)} has prices 20 times those of the candles ` +
      'around it',
    `BTC/USDT: the exchange's candle of ${text(7)} has prices 20 times those of the candles ` +
      'around it',
  ])
})

test('readers of the series get a late candle as they would after a restart', async () => {
  const world = await openLiveWorld()
  const { faults } = world.exchange.market
  const holeMs = THIS_HOUR_MS - 5 * HOUR_MS
  faults.candles = (candles) =>
    candles.filter(
      ({ openTimeMs }) => openTimeMs !== holeMs && openTimeMs !== THIS_HOUR_MS - HOUR_MS,
    )
  await until(() => world.live.candleCount() === 12 * 717, {
    timeoutMs: 180_000,
    complaint: () => String(world.live.candleCount()),
  })
  const candles = openCandles(world.feed)
  expect(candles.until('BTC/USDT', THIS_HOUR_MS).length).toBe(717)
  faults.candles = (all) => all
  await untilWhole(world)
  const late = candles.until('BTC/USDT', THIS_HOUR_MS)
  expect(late.length).toBe(719)
  expect([...late.openTimesMs.subarray(0, late.length)]).toEqual([
    ...openCandles(world.feed).until('BTC/USDT', THIS_HOUR_MS).openTimesMs.subarray(0, 719),
  ])
  expect(late.openTimesMs[0]).toBeGreaterThan(historyStart(THIS_HOUR_MS))
})

test('a process that does not follow the exchange reads the candles of the leader', async () => {
  const world = await openLiveWorld({ follows: false })
  const follower = await world.again()
  await until(() => isComplete(follower), {
    timeoutMs: 180_000,
    complaint: () => closedPairs(follower).join(),
  })
  expect(world.store.series('BTC/USDT').length).toBe(0)
  await world.live.refresh()
  expect(world.live.candleCount()).toBe(follower.live.candleCount())
  expect(world.live.isOpen('BTC/USDT')).toBe(false)
  await follower.stop()
})

test('a new book shows its pages before the first candle arrives', async () => {
  const live = await openLiveWorld({ follows: false })
  const world = await createWorld({
    feed: live.feed,
    context: { now: () => new Date(live.exchange.clock.nowMs()) },
  })
  try {
    const ada = await world.user()
    await ada.deposit('100')
    expect((await ada.call('getSampleBot')).trades).toEqual([])
    expect((await ada.ask('getPrices')).status).toBe(503)
    const order = { riskLevel: 'moderate', tradingPairs: ['BTC/USDT'], investmentAmount: '50' }
    expect((await ada.call('runBacktest', { body: { ...order, days: 30 } })).tradeCount).toBe(0)
    expect((await world.app.inject('/')).statusCode).toBeLessThan(500)
    expect((await ada.ask('createBot', { body: { name: 'Early', ...order } })).status).toBeLessThan(
      500,
    )
    await world.serve()
    expect((await ada.ask('listBots')).status).toBe(200)
    expect((await ada.ask('getPortfolio')).status).toBe(200)
    expect((await ada.ask('getBalanceCurve', { query: { range: '1M' } })).status).toBe(200)
  } finally {
    await world.close()
  }
})
