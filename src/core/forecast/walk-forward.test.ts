import fc from 'fast-check'
import { expect, test } from 'vitest'
import { candleAt, seriesOf, type CandleSeries } from '#core/market/candle-series.ts'
import { DAY_MS, HOUR_MS } from '#core/market/candle.ts'
import { simulatedCandles } from '#core/market/simulated-market.ts'
import { forecastRows, type ForecastMarket, type ForecastRow } from './rows.ts'
import { walkForward } from './walk-forward.ts'

const fromMs = Date.UTC(2026, 0, 1)
const DAYS = 330
const markets: readonly ForecastMarket[] = (['BTC/USDT', 'ETH/USDT', 'SOL/USDT'] as const).map(
  (pair, seed) => ({
    pair,
    series: simulatedCandles({ seed: seed + 1, pair, fromMs, count: DAYS * 24 }),
  }),
)

/** Changes the prices of every candle that opens from `timeMs` on. */
function changedFrom(series: CandleSeries, timeMs: number): CandleSeries {
  return seriesOf(
    Array.from({ length: series.length }, (_, index) => {
      const { openTimeMs, open, high, low, close } = candleAt(series, index)
      if (openTimeMs < timeMs) return candleAt(series, index)
      const hour = BigInt((openTimeMs / HOUR_MS) % 7) + 1n
      return { openTimeMs, open, high: high * 2n * hour, low, close: close * hour }
    }),
  )
}

type Leak = (row: ForecastRow) => ForecastRow

/** Models and forecasts up to a midnight. */
function until(timeMs: number, given: readonly ForecastMarket[], leak: Leak = (row) => row) {
  const { models, forecasts } = walkForward(forecastRows(given).map(leak))
  return {
    models: models.filter(({ trainedUntilMs }) => trainedUntilMs <= timeMs),
    forecasts: forecasts
      .filter(({ row }) => row.timeMs <= timeMs)
      .map(({ row, variance, range80, range95, chance, plain }) => ({
        of: [row.pair, row.timeMs],
        said: [variance, range80, range95, chance, plain],
      })),
  }
}

/** Whether changing the candles after a midnight changes a model or forecast before it. */
function seesAfter(midnightMs: number, leak?: Leak): boolean {
  const changed = markets.map(({ pair, series }) => ({
    pair,
    series: changedFrom(series, midnightMs),
  }))
  const said = JSON.stringify(until(midnightMs, markets, leak))
  return JSON.stringify(until(midnightMs, changed, leak)) !== said
}

const midnight = fc.integer({ min: 290, max: DAYS - 2 }).map((day) => fromMs + day * DAY_MS)

test('candles after a model or a forecast do not change it', () => {
  expect(until(fromMs + 300 * DAY_MS, markets).forecasts.length).toBeGreaterThan(50)
  fc.assert(
    fc.property(midnight, (timeMs) => !seesAfter(timeMs)),
    { numRuns: 15 },
  )
})

test('a feature that leaks the target is detected', () => {
  const leak: Leak = (row) => ({
    ...row,
    features: [Math.log(row.target), ...row.features.slice(1)],
  })
  fc.assert(
    fc.property(midnight, (timeMs) => seesAfter(timeMs, leak)),
    { numRuns: 5 },
  )
})

test('training on rows whose outcome is not known yet is detected', () => {
  const unpurged: Leak = (row) => ({ ...row, knownAtMs: row.timeMs })
  expect(seesAfter(Date.UTC(2026, 10, 1), unpurged)).toBe(true)
})

test('each month has its own model, trained only on outcomes before it', () => {
  const rows = forecastRows(markets)
  const { models, forecasts } = walkForward(rows)
  expect(models.length).toBeGreaterThan(0)
  for (const { trainedUntilMs, rows: count } of models) {
    expect(new Date(trainedUntilMs).toISOString()).toMatch(/-01T00:00:00\.000Z$/)
    expect(rows.filter(({ knownAtMs }) => knownAtMs <= trainedUntilMs).length).toBe(count)
    expect(count).toBeGreaterThanOrEqual(500)
  }
  const firstMs = models[0]?.trainedUntilMs ?? 0
  expect(forecasts.map(({ row }) => row)).toEqual(rows.filter(({ timeMs }) => timeMs >= firstMs))
})

test('too few rows train no model', () => {
  expect(walkForward([])).toEqual({ models: [], forecasts: [] })
  expect(walkForward(forecastRows(markets.slice(0, 1))).models).toEqual([])
})
