import { expect, test } from 'vitest'
import { groupBy } from '#core/group-by.ts'
import { candleAt, seriesOf, type CandleSeries } from '#core/market/candle-series.ts'
import { DAY_MS, HOUR_MS, type Candle } from '#core/market/candle.ts'
import { simulatedCandles } from '#core/market/simulated-market.ts'
import { marketDay, scoredForecasts, trainOn, type MarketDay } from './market-day.ts'
import { varianceOf } from './model.ts'
import { forecastRows, type ForecastMarket } from './rows.ts'
import { walkForward } from './walk-forward.ts'

const fromMs = Date.UTC(2026, 0, 1)
const own: readonly ForecastMarket[] = (['BTC/USDT', 'ETH/USDT', 'SOL/USDT'] as const).map(
  (pair, seed) => ({
    pair,
    series: simulatedCandles({ seed: seed + 1, pair, fromMs, count: 700 * 24 }),
  }),
)
const shipped = parts(own, (candle) => candle.openTimeMs < fromMs + 270 * DAY_MS)
const shippedRows = forecastRows(shipped)
const shippedWalk = walkForward(shippedRows)
const recorded = () => ({ rows: shippedRows, forecasts: shippedWalk.forecasts })
const walk = walkForward(forecastRows(own))

function parts(
  markets: readonly ForecastMarket[],
  keeps: (candle: Candle) => boolean,
  changed = (candle: Candle) => candle,
): ForecastMarket[] {
  return markets.map(({ pair, series }) => ({
    pair,
    series: seriesOf(candlesOf(series).filter(keeps).map(changed)),
  }))
}

function candlesOf(series: CandleSeries): Candle[] {
  return Array.from({ length: series.length }, (_, index) => candleAt(series, index))
}

/** Forecasts of the walk after the shipped candles, as a live market stores them. */
function storedDays(): MarketDay[] {
  const later = walk.forecasts.filter(({ row }) => row.timeMs >= fromMs + 269 * DAY_MS)
  return [...groupBy(later, ({ row }) => row.timeMs)].map(([timeMs, day]) => ({
    timeMs,
    model: {
      ...found(walk.models.findLast(({ trainedUntilMs }) => trainedUntilMs <= timeMs)),
      learnedFrom: [],
    },
    forecasts: day.map(({ row: { pair, plain }, variance, range80, chance }) => ({
      pair,
      variance,
      plain,
      range80,
      chance,
    })),
    outcomes: day.map(({ row }) => row),
  }))
}

function found<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('not found')
  return value
}

test('a month trained half on own candles has the model of the walk over all candles', () => {
  const expected = found(walk.models.at(-1))
  const { trainedUntilMs } = expected
  const trained = trainOn({ recorded, own }, { days: storedDays(), trainedUntilMs })
  expect(trained).toEqual({ ...expected, learnedFrom: own.map(({ pair }) => pair) })
})

test('a pair with under 365 days of its own adds no training rows', () => {
  const trainedUntilMs = Date.UTC(2027, 8, 1)
  const first = trainOn({ recorded, own }, { days: [], trainedUntilMs })
  expect(first?.learnedFrom).toEqual([])
  expect(first).toMatchObject({ rows: shippedRows.length })
})

/** One market day per midnight, each computed from all earlier ones. */
function daysOf(given: readonly ForecastMarket[], midnights: readonly number[]): MarketDay[] {
  return midnights.reduce<MarketDay[]>(
    (days, timeMs) => [...days, marketDay({ timeMs, days, recorded, own: given })],
    [],
  )
}

const november = Date.UTC(2026, 10, 1)

test('each midnight has its forecasts, and the outcomes of the one before', () => {
  const days = daysOf(own, [november - DAY_MS, november, november + DAY_MS])
  expect(days.map(({ model }) => model?.trainedUntilMs)).toEqual([
    Date.UTC(2026, 9, 1),
    november,
    undefined,
  ])
  expect(days.map(({ forecasts }) => forecasts.length)).toEqual([3, 3, 3])
  expect(days.map(({ outcomes }) => outcomes.map(({ timeMs }) => timeMs))).toEqual([
    [],
    [november - DAY_MS, november - DAY_MS, november - DAY_MS],
    [november, november, november],
  ])
  const rows = forecastRows(own)
  for (const { pair, row, variance, fitted } of scoredForecasts(days)) {
    const known = found(rows.find((one) => one.timeMs === row.timeMs && one.pair === pair))
    const model = found(days.findLast((day) => day.model && day.timeMs <= row.timeMs)?.model)
    expect([row.target, row.move, row.fall]).toEqual([known.target, known.move, known.fall])
    expect(variance).toBeCloseTo(varianceOf(model, known), 12)
    expect(fitted).toBeCloseTo(model.plainScale * known.plain, 12)
  }
})

test('candles after a midnight do not change the day stored for it', () => {
  const midnights = [november, november + DAY_MS]
  const changed = parts(
    own,
    () => true,
    (candle) =>
      candle.openTimeMs < november + DAY_MS
        ? candle
        : { ...candle, high: candle.high * 3n, close: candle.close * 2n },
  )
  expect(JSON.stringify(daysOf(changed, midnights))).toBe(JSON.stringify(daysOf(own, midnights)))
  const leaked = daysOf(changed, [...midnights, november + 2 * DAY_MS])
  expect(leaked.at(-1)).not.toEqual(daysOf(own, [...midnights, november + 2 * DAY_MS]).at(-1))
})

test('a pair without its last candle has no forecast, and an outcome waits for 24 candles', () => {
  const lost = november + DAY_MS - HOUR_MS
  const holed = parts(own, ({ openTimeMs }) => openTimeMs !== lost)
  const days = daysOf(holed, [november, november + DAY_MS, november + 2 * DAY_MS])
  expect(days.map(({ forecasts }) => forecasts.length)).toEqual([3, 0, 3])
  expect(days.map(({ outcomes }) => outcomes.map(({ knownAtMs }) => knownAtMs))).toEqual([
    [],
    [],
    Array.from({ length: 3 }, () => november + DAY_MS + HOUR_MS),
  ])
})
