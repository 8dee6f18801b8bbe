import { sentence } from '#core/sentences.ts'
import { pino } from 'pino'
import { afterAll, expect, test } from 'vitest'
import { DAY_MS } from '#core/market/candle.ts'
import { simulatedCandles } from '#core/market/simulated-market.ts'
import type { Pair } from '#core/market/pair.ts'
import { VENUE_COSTS, type TradingCosts } from '#core/trading/costs.ts'
import { openCompute } from '#server/compute/open-compute.ts'
import { candlesBetween } from '#server/market/candle-cache.ts'
import { simulatedFeed } from '#server/market/feed-simulated.ts'
import { recordedFiles } from '#server/market/recorded-candles.ts'
import type { Compute, CandleFile } from '#server/ports/compute.ts'
import type { Feed } from '#server/ports/feed.ts'
import { StartupError } from '#server/kernel/errors.ts'
import { cacheBotEvidence } from './cache-bot-evidence.ts'
import { KeptEvidence } from './keep-evidence.ts'

const FROM_MS = Date.UTC(2023, 0, 1)
const PAIRS: readonly Pair[] = ['BTC/USDT', 'ETH/USDT']

/** Candles that pass for recorded ones. */
function recorded(days: number): Feed {
  const series = new Map(
    PAIRS.map((pair) => [
      pair,
      simulatedCandles({ seed: 5, pair, fromMs: FROM_MS, count: days * 24 }),
    ]),
  )
  return {
    kind: 'replay',
    label: sentence('recordedMarket'),
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

const keeperOf = (
  feed: Feed,
  recorded: () => CandleFile[] = () => [],
  costs: TradingCosts = VENUE_COSTS.binance,
) =>
  new KeptEvidence({
    feed,
    recorded,
    costs,
    holdFeeBps: 0,
    now: () => new Date(),
    log: pino({ level: 'silent' }),
    compute,
  })

test('a simulated market without recorded candles reports at once that it has no evidence', () => {
  expect(keeperOf(simulatedFeed({ seed: 1 })).now()).toMatchObject({
    state: 'none',
    sentence: 'Simulated market: no evidence',
  })
})

test('a simulated market shows the evidence of recorded candles at once, and says so', async () => {
  let asked = 0
  const recorded = () => {
    asked += 1
    return recordedFiles()
  }
  const keeper = keeperOf(simulatedFeed({ seed: 1 }), recorded, VENUE_COSTS.kraken)
  expect(keeper.now()).toMatchObject({
    state: 'figures',
    feedLabel: 'Recorded Binance prices',
    note:
      'From recorded Binance prices, not from the market that bots trade on here: ' +
      'Simulated market.',
    source:
      'Binance spot, 1 h, from github.com/bernini10/oraculo-de-bitcoin at commit 68eb4ed (MIT)',
    figures: {
      windows: 1_380,
      from: '2020-12-10',
      to: '2025-09-19',
      pairs: ['BTC/USDT', 'ETH/USDT', 'SOL/USDT', 'XRP/USDT', 'BNB/USDT'],
    },
  })
  await keeper.soon(1)
  expect(asked).toBe(1)
})

test('the first answer reports that evidence is being computed; the next waits', async () => {
  const keeper = keeperOf(recorded(460))
  expect(keeper.now()).toMatchObject({
    state: 'computing',
    sentence: 'The evidence is being computed.',
  })
  const evidence = await keeper.soon(60_000)
  expect(evidence).toMatchObject({
    state: 'figures',
    feedLabel: 'Recorded market',
    note: null,
    source: null,
  })
  if (evidence.state !== 'figures') return
  expect(evidence.figures).toMatchObject({
    windows: 14,
    windowDays: 365,
    pairs: PAIRS,
    from: '2023-03-23',
    to: '2024-04-04',
  })
  expect(evidence.figures.timeline.moderate.length).toBe(2)
  expect(evidence.disclaimer).toMatch(/Hypothetical.*You can lose money/)
  expect(keeper.now(), 'it is kept').toEqual(evidence)
})

test("if the market's history is too short, recorded candles are used and named", async () => {
  const [bitcoin] = recordedFiles('/nonexistent')
  if (bitcoin === undefined) throw new Error('no recorded candles')
  expect(await keeperOf(recorded(300), () => [bitcoin]).soon(110_000)).toMatchObject({
    state: 'figures',
    feedLabel: 'Recorded Binance prices',
    note: expect.stringContaining('here: Recorded market.'),
  })
})

test('a damaged file of candles leaves a page without figures, but causes no error', () => {
  const broken = () => {
    throw new StartupError('BTCUSDT.candles is damaged.')
  }
  expect(keeperOf(simulatedFeed({ seed: 1 }), broken).now()).toMatchObject({ state: 'none' })
})

test("a bot's evidence depends on its pairs and level, and is cached", async () => {
  const files = recordedFiles('/nonexistent').slice(0, 2)
  let runs = 0
  const counting: Compute = {
    ...compute,
    run: (name, input, owner) => {
      runs += 1
      return compute.run(name, input, owner)
    },
  }
  const given = { feed: simulatedFeed({ seed: 1 }), costs: VENUE_COSTS.binance, holdFeeBps: 0 }
  const keeper = new KeptEvidence({
    ...given,
    recorded: () => files,
    now: () => new Date(),
    log: pino({ level: 'silent' }),
    compute: counting,
  })
  const whole = await keeper.soon(110_000)
  if (whole.state !== 'figures') throw new Error('no evidence')
  const pairs: readonly Pair[] = ['BTC/USDT', 'ETH/USDT', 'LTC/USDT']
  const both = await keeper.ofBot({ strategy: 'trend-aggressive', pairs }, { owner: 'ada' })
  const computed = await cacheBotEvidence({ ...given, compute })({
    strategy: 'trend-aggressive',
    pairs,
    files,
    untilMs: 0,
    hash: '',
    owner: 'ada',
  })
  expect(both, 'as it would be computed').toMatchObject(computed ?? {})
  const { median, worst, best, losingPercent, deepestFall, beatsCash, monthly } =
    whole.figures.levels.find(({ riskLevel }) => riskLevel === 'aggressive') ?? {}
  expect(both).toEqual({
    state: 'figures',
    hypothetical: true,
    prices: 'Recorded Binance prices',
    windows: 1_380,
    from: '2020-12-10',
    to: '2025-09-19',
    pairs: ['BTC/USDT', 'ETH/USDT'],
    missing: ['LTC/USDT'],
    median,
    worst,
    best,
    losingPercent,
    deepestFall,
    beatsCash,
    monthly,
  })
  expect(beatsCash?.windows).toBe(1_380)
  expect(whole.figures.cash).toBe('3.17')
  for (const { strategy, ...others } of whole.figures.others.filter(
    ({ strategy: key }) => key === 'hold' || key === 'balanced-moderate',
  )) {
    const { median: middle, worst: least, losingPercent: lost, deepestFall: fall } = others
    expect(
      await keeper.ofBot({ strategy, pairs: ['BTC/USDT', 'ETH/USDT'] }, { owner: 'ada' }),
    ).toMatchObject({ median: middle, worst: least, losingPercent: lost, deepestFall: fall })
  }
  const one = await keeper.ofBot(
    { strategy: 'trend-aggressive', pairs: ['ETH/USDT'] },
    { owner: 'ada' },
  )
  expect(one).toMatchObject({ state: 'figures', pairs: ['ETH/USDT'], missing: [] })
  expect(one).not.toMatchObject({ median })
  expect(
    await keeper.ofBot({ strategy: 'trend-aggressive', pairs: ['ETH/USDT'] }, { owner: 'bob' }),
  ).toEqual(one)
  expect(runs, 'the whole, and the bot on one of its coins once').toBe(2)
  expect(
    await keeper.ofBot({ strategy: 'trend-aggressive', pairs: ['LTC/USDT'] }, { owner: 'ada' }),
  ).toEqual({ state: 'none', sentence: 'There are too few recorded prices of these coins.' })
})

test('a history too short for one window is reported as too short', async () => {
  expect(await keeperOf(recorded(300)).soon(60_000)).toMatchObject({
    state: 'none',
    sentence: 'Recorded market: too short for evidence',
  })
  const live: Feed = {
    ...recorded(300),
    kind: 'live',
    label: sentence('paperPrices', { name: 'Kraken', quote: 'USD' }),
  }
  expect(await keeperOf(live).soon(60_000)).toMatchObject({
    state: 'none',
    sentence: 'Live prices: too short for evidence',
  })
})

test('a stopping server ends the computation', async () => {
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
  expect(await keeper.soon(60_000)).toMatchObject({
    state: 'none',
    sentence: 'The evidence could not be computed.',
  })
  await keeper.soon(60_000)
  expect(asked).toBe(1)
})
