import { expect, test } from 'vitest'
import { DAY_MS } from '#core/market/candle.ts'
import { candleAt, seriesOf } from '#core/market/candle-series.ts'
import { simulatedCandles } from '#core/market/simulated-market.ts'
import type { Pair } from '#core/market/pair.ts'
import { ONE } from '#core/money/amount.ts'
import { VENUE_COSTS } from '#core/trading/costs.ts'
import { distributionOf } from './distribution.ts'
import { evidenceOf } from './evidence.ts'

const FROM_MS = Date.UTC(2024, 0, 1)
const rules = { costs: VENUE_COSTS.binance, feeBps: 1_500, holdFeeBps: 0 }

function market(pair: Pair, days: number) {
  return { pair, series: simulatedCandles({ seed: 3, pair, fromMs: FROM_MS, count: days * 24 }) }
}

test('windows start daily, from the first midnight at which the longest trend has data', () => {
  const evidence = evidenceOf({
    markets: [market('ETH/USDT', 460), market('BTC/USDT', 460)],
    ...rules,
  })
  expect(evidence?.pairs).toEqual(['BTC/USDT', 'ETH/USDT'])
  expect(evidence?.windows[0]).toEqual({
    fromMs: FROM_MS + 81 * DAY_MS,
    toMs: FROM_MS + 446 * DAY_MS,
  })
  expect(evidence?.windows.length).toBe(14)
  expect(evidence?.levels.moderate.outcomes.length).toBe(14)
})

const coverageOf = (...markets: ReturnType<typeof market>[]) =>
  evidenceOf({ markets, ...rules })?.coverage

test('a window has the pairs with data on its first day; one that ends later stays in it', () => {
  expect(coverageOf(market('BTC/USDT', 460), market('SOL/USDT', 460))).toEqual([
    { pair: 'BTC/USDT', windows: 14 },
    { pair: 'SOL/USDT', windows: 14 },
  ])
  expect(coverageOf(market('BTC/USDT', 460), market('SOL/USDT', 90))).toEqual([
    { pair: 'BTC/USDT', windows: 14 },
    { pair: 'SOL/USDT', windows: 9 },
  ])
})

test('a pair with too few candles for a window is left out; without pairs: no evidence', () => {
  const evidence = evidenceOf({
    markets: [market('BTC/USDT', 460), market('SOL/USDT', 80)],
    ...rules,
  })
  expect(evidence?.pairs).toEqual(['BTC/USDT'])
  expect(evidence?.coverage).toContainEqual({ pair: 'SOL/USDT', windows: 0 })
  expect(evidenceOf({ markets: [market('SOL/USDT', 200)], ...rules })).toBeUndefined()
  expect(evidenceOf({ markets: [], ...rules })).toBeUndefined()
})

function changedFrom(day: number, { pair, series }: ReturnType<typeof market>) {
  const other = simulatedCandles({ seed: 77, pair, fromMs: FROM_MS, count: series.length })
  return {
    pair,
    series: seriesOf(
      Array.from({ length: series.length }, (_, index) =>
        candleAt(index < day * 24 ? series : other, index),
      ),
    ),
  }
}

test('a window does not depend on later candles, whichever pairs end or change later', () => {
  const whole = [market('BTC/USDT', 500), market('ETH/USDT', 500), market('SOL/USDT', 500)]
  const [btc, eth, sol] = whole
  if (!btc || !eth || !sol) throw new Error('three markets')
  const after = [
    btc,
    changedFrom(460, eth),
    { ...sol, series: { ...sol.series, length: 460 * 24 } },
  ]
  const [first, second] = [
    evidenceOf({ markets: whole, ...rules }),
    evidenceOf({ markets: after, ...rules }),
  ]
  const before = (evidence: typeof first) =>
    evidence?.levels.aggressive.outcomes.filter(
      ({ window }) => window.toMs < FROM_MS + 460 * DAY_MS,
    )
  expect(before(first)?.length).toBe(14)
  expect(before(second)).toEqual(before(first))
  expect(second?.levels.aggressive.outcomes.at(-1)?.end).not.toBe(
    first?.levels.aggressive.outcomes.at(-1)?.end,
  )
})

test.each([
  [
    'one window',
    [90],
    { worst: 90, lower: 90, median: 90, upper: 90, best: 90, losing: 1, reached: 0 },
  ],
  [
    'the lower of two middles',
    [130, 90, 110, 100],
    { worst: 90, lower: 90, median: 100, upper: 130, best: 130, losing: 1, reached: 1 },
  ],
  [
    'breaking even is not losing',
    [100, 100, 100],
    { worst: 100, lower: 100, median: 100, upper: 100, best: 100, losing: 0, reached: 0 },
  ],
  [
    'exactly the target is reached',
    [125, 124, 126],
    { worst: 124, lower: 124, median: 125, upper: 126, best: 126, losing: 0, reached: 2 },
  ],
  [
    'a tenth below and above',
    Array.from({ length: 21 }, (_, index) => 90 + index),
    { worst: 90, lower: 92, median: 100, upper: 108, best: 110, losing: 10, reached: 0 },
  ],
])('%s', (_name, ends, expected) => {
  const outcomes = ends.map((end, day) => ({
    window: { fromMs: day, toMs: day + 365 },
    end: BigInt(end) * ONE,
  }))
  const { losing, reached, ...figures } = distributionOf(outcomes, {
    invested: 100n * ONE,
    targetPercent: 25,
  })
  const shown = Object.fromEntries(
    Object.entries(figures).map(([name, { end }]) => [name, Number(end / ONE)]),
  )
  expect({ ...shown, losing, reached }).toEqual(expected)
})
