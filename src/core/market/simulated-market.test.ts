import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ONE } from '#core/money/amount.ts'
import { backtest } from '#core/strategy/backtest.ts'
import { RISK_LEVELS } from '#core/strategy/risk-level.ts'
import { HOUR_MS, YEAR_MS } from './candle.ts'
import { candleAt, type CandleSeries } from './candle-series.ts'
import { PAIRS, type Pair } from './pair.ts'
import { simulatedCandles } from './simulated-market.ts'

const FROM_MS = Date.UTC(2021, 0, 1)
const years = (pair: Pair, seed = 7) =>
  simulatedCandles({ seed, pair, fromMs: FROM_MS, count: 4 * 8_760 })
const candlesOf = (series: CandleSeries) =>
  Array.from({ length: series.length }, (_, index) => candleAt(series, index))

test('the same seed gives the same market, a different seed a different one', () => {
  const window = { pair: 'ETH/USDT', fromMs: FROM_MS, count: 50 } as const
  expect(candlesOf(simulatedCandles({ seed: 1, ...window }))).toEqual(
    candlesOf(simulatedCandles({ seed: 1, ...window })),
  )
  expect(candlesOf(simulatedCandles({ seed: 2, ...window }))).not.toEqual(
    candlesOf(simulatedCandles({ seed: 1, ...window })),
  )
})

test('every window is cut from the same path', () => {
  const whole = candlesOf(
    simulatedCandles({ seed: 3, pair: 'SOL/USDT', fromMs: FROM_MS, count: 4_000 }),
  )
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 3_900 }),
      fc.integer({ min: 0, max: 100 }),
      (start, count) => {
        const window = simulatedCandles({
          seed: 3,
          pair: 'SOL/USDT',
          fromMs: FROM_MS + start * HOUR_MS,
          count,
        })
        expect(candlesOf(window)).toEqual(whole.slice(start, start + count))
      },
    ),
    { numRuns: 40 },
  )
})

test('candles are consecutive, mostly open at the last close, and stay within high and low', () => {
  for (const pair of PAIRS) {
    const candles = candlesOf(simulatedCandles({ seed: 5, pair, fromMs: FROM_MS, count: 5_000 }))
    const joined = candles.filter(
      (candle, index) => index > 0 && candle.open === candles[index - 1]?.close,
    ).length
    expect(joined / candles.length).toBeGreaterThan(0.85)
    expect(candles.every(({ openTimeMs }, index) => openTimeMs === FROM_MS + index * HOUR_MS)).toBe(
      true,
    )
    for (const { open, high, low, close } of candles) {
      expect(low > 0n && low <= open && low <= close && high >= open && high >= close).toBe(true)
    }
  }
})

test('volatility, its clustering and fat tails resemble crypto', () => {
  const clustering = PAIRS.map((pair) => {
    const returns = returnsOf(years(pair))
    const variance = mean(returns.map((each) => each ** 2))
    expect(Math.sqrt(variance * 8_760)).toBeGreaterThan(0.4)
    expect(Math.sqrt(variance * 8_760)).toBeLessThan(1.3)
    expect(mean(returns.map((each) => each ** 4)) / variance ** 2).toBeGreaterThan(4.5)
    const sizes = returns.map(Math.abs)
    return correlation(sizes.slice(1), sizes.slice(0, -1))
  })
  expect(mean(clustering)).toBeGreaterThan(0.1)
})

test('the assets move with BTC', () => {
  const btc = returnsOf(years('BTC/USDT'))
  const correlations = PAIRS.slice(1).map((pair) => correlation(returnsOf(years(pair)), btc))
  expect(Math.min(...correlations)).toBeGreaterThan(0.4)
  expect(mean(correlations)).toBeGreaterThan(0.5)
  expect(mean(correlations)).toBeLessThan(0.8)
})

test('returns are not autocorrelated; a month is as volatile as its hours imply', () => {
  const ratios = [1, 2, 3].flatMap((seed) =>
    PAIRS.map((pair) => {
      const returns = returnsOf(years(pair, seed))
      expect(Math.abs(correlation(returns.slice(1), returns.slice(0, -1)))).toBeLessThan(0.03)
      const starts = Array.from(
        { length: Math.floor((returns.length - 720) / 240) },
        (_, index) => index * 240,
      )
      const months = starts.map((start) => sum(returns.slice(start, start + 720)) ** 2)
      return mean(months) / (720 * mean(returns.map((each) => each ** 2)))
    }),
  )
  expect(mean(ratios)).toBeGreaterThan(0.8)
  expect(mean(ratios)).toBeLessThan(1.2)
})

const ratios = (fromMs: number, seeds: number) =>
  Array.from({ length: seeds }, (_, index) =>
    PAIRS.map((pair) => {
      const priceAt = (timeMs: number) =>
        simulatedCandles({ seed: index + 1, pair, fromMs: timeMs, count: 1 }).closeSignal[0] ??
        Number.NaN
      return priceAt(fromMs + YEAR_MS) / priceAt(fromMs)
    }),
  )

test.each([2024, 2027, 2060])(
  'holding all pairs for a year from %i earns nothing on average',
  (year) => {
    const gains = ratios(Date.UTC(year, 0, 1), 60).map((all) => mean(all) - 1)
    expect(Math.abs(mean(gains))).toBeLessThan(2 * standardError(gains))
    expect(gains.filter((gain) => gain < 0).length, 'more markets fall than rise').toBeGreaterThan(
      gains.length / 3,
    )
  },
)

test.each(RISK_LEVELS)('without costs, %s rules neither gain nor lose on average', (riskLevel) => {
  const fromMs = Date.UTC(2026, 0, 1)
  const gains = Array.from({ length: 40 }, (_, seed) => {
    const markets = (['BTC/USDT', 'SOL/USDT'] as const).map((pair) => ({
      pair,
      series: simulatedCandles({ seed, pair, fromMs: fromMs - YEAR_MS, count: 2 * 8_760 }),
    }))
    const costs = { feeBps: 0, halfSpreadBps: 0, slippageBps: 0 }
    return backtest({
      strategy: `trend-${riskLevel}`,
      markets,
      invested: 10_000n * ONE,
      fromMs,
      toMs: fromMs + YEAR_MS,
      costs,
      feeBps: 0,
      curvePoints: 2,
    }).totalReturn
  })
  expect(Math.abs(mean(gains))).toBeLessThan(2 * standardError(gains))
})

test('prices neither vanish nor explode for decades', () => {
  for (const year of [2026, 2036, 2056, 2086]) {
    const prices = [1, 2, 3, 4, 5, 6, 7, 8].flatMap((seed) =>
      PAIRS.map((pair) => {
        const at = (fromMs: number) =>
          simulatedCandles({ seed, pair, fromMs, count: 1 }).closeSignal[0] ?? Number.NaN
        return at(Date.UTC(year, 5, 1)) / at(Date.UTC(2023, 11, 20))
      }),
    )
    expect(Math.min(...prices), `in ${year}`).toBeGreaterThan(0.001)
    expect(Math.max(...prices), `in ${year}`).toBeLessThan(200)
  }
})

test('the smallest step of a price stays a small part of the price for decades', () => {
  for (const pair of PAIRS) {
    const { closeSignal } = simulatedCandles({
      seed: 24,
      pair,
      fromMs: Date.UTC(2056, 5, 1),
      count: 500,
    })
    expect(new Set(closeSignal.subarray(0, 500)).size, `closes of ${pair}`).toBeGreaterThan(20)
    expect(Math.min(...closeSignal.subarray(0, 500)), `lowest close of ${pair}`).toBeGreaterThan(
      0.001e8,
    )
  }
})

test('simulated candles cannot start within an hour', () => {
  expect(() =>
    simulatedCandles({ seed: 1, pair: 'BTC/USDT', fromMs: HOUR_MS / 2, count: 1 }),
  ).toThrow('whole hour')
})

function returnsOf({ closeSignal }: CandleSeries): number[] {
  return Array.from(closeSignal.subarray(1), (close, index) =>
    Math.log(close / (closeSignal[index] ?? close)),
  )
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

function mean(values: readonly number[]): number {
  return sum(values) / values.length
}

function standardError(values: readonly number[]): number {
  const center = mean(values)
  return Math.sqrt(
    sum(values.map((each) => (each - center) ** 2)) / (values.length * (values.length - 1)),
  )
}

function correlation(a: readonly number[], b: readonly number[]): number {
  const [meanA, meanB] = [mean(a), mean(b)]
  const deviation = (values: readonly number[], center: number) =>
    Math.sqrt(mean(values.map((each) => (each - center) ** 2)))
  return (
    mean(a.map((each, index) => (each - meanA) * ((b[index] ?? 0) - meanB))) /
    (deviation(a, meanA) * deviation(b, meanB))
  )
}
