import { pino } from 'pino'
import { afterAll, expect, test } from 'vitest'
import { DAY_MS } from '#core/market/candle.ts'
import { simulatedCandles } from '#core/market/simulated-market.ts'
import type { Pair } from '#core/market/pair.ts'
import { DEFAULT_COSTS } from '#core/trading/costs.ts'
import { openCompute } from '#server/compute/open-compute.ts'
import { candlesBetween } from '#server/market/candle-cache.ts'
import { simulatedFeed } from '#server/market/feed-simulated.ts'
import type { Feed } from '#server/ports/feed.ts'
import { keepEvidence } from './keep-evidence.ts'

const FROM_MS = Date.UTC(2023, 0, 1)
const PAIRS: readonly Pair[] = ['BTC/USDT', 'ETH/USDT']

/** Candles that pass for recorded ones. */
function recorded(days: number): Feed {
  const series = new Map(PAIRS.map((pair) => [pair, simulatedCandles({ seed: 5, pair, fromMs: FROM_MS, count: days * 24 })]))
  return {
    kind: 'replay',
    label: 'Recorded market',
    identity: 'test',
    venue: 'binance',
    pairs: PAIRS,
    defaultSpeed: 1,
    beginMs: () => FROM_MS,
    endMs: FROM_MS + days * DAY_MS,
    candles: ({ pair, fromMs, toMs }) => {
      const known = series.get(pair)
      if (!known) throw new Error(`no ${pair}`)
      return candlesBetween(known, { fromMs, toMs })
    },
  }
}

const compute = openCompute()
afterAll(() => compute.stop())

const keeperOf = (feed: Feed) => keepEvidence({ feed, costs: DEFAULT_COSTS, now: () => new Date(), log: pino({ level: 'silent' }), compute })

test('a simulated market is no evidence, and says so at once', () => {
  expect(keeperOf(simulatedFeed({ seed: 1 })).now()).toMatchObject({ state: 'none', sentence: 'Simulated market: no evidence' })
})

test('the first request reports that the evidence is being computed; a waiting one gets the figures', async () => {
  const keeper = keeperOf(recorded(460))
  expect(keeper.now()).toMatchObject({ state: 'computing', sentence: 'The evidence is being computed.' })
  const evidence = await keeper.soon(60_000)
  expect(evidence).toMatchObject({ state: 'figures', feedLabel: 'Recorded market' })
  if (evidence.state !== 'figures') return
  expect(evidence.figures).toMatchObject({ windows: 14, windowDays: 365, pairs: PAIRS, from: '2023-03-23', to: '2024-04-04' })
  expect(evidence.figures.timeline.moderate.length).toBe(2)
  expect(evidence.disclaimer).toMatch(/Hypothetical.*You can lose money/)
  expect(keeper.now(), 'it is kept').toEqual(evidence)
})

test('a history without room for one window says that it is too short', async () => {
  expect(await keeperOf(recorded(300)).soon(60_000)).toMatchObject({ state: 'none', sentence: 'Recorded market: too short for evidence' })
  const live: Feed = { ...recorded(300), kind: 'live', label: 'Live prices from Kraken (USD), paper money' }
  expect(await keeperOf(live).soon(60_000)).toMatchObject({ state: 'none', sentence: 'Live prices: too short for evidence' })
})

test('a server that stops ends the computation', async () => {
  const keeper = keeperOf(recorded(900))
  const waiting = keeper.soon(60_000)
  keeper.stop()
  expect(await waiting).toMatchObject({ state: 'computing' })
})

test('a failed computation is reported, and not repeated', async () => {
  let asked = 0
  const broken: Feed = {
    ...recorded(460),
    candles: () => {
      asked += 1
      throw new Error('the disk is gone')
    },
  }
  const keeper = keeperOf(broken)
  expect(await keeper.soon(60_000)).toMatchObject({ state: 'none', sentence: 'The evidence could not be computed.' })
  await keeper.soon(60_000)
  expect(asked).toBe(1)
})
