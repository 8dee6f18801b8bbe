import { expect, test } from 'vitest'
import { HOUR_MS, type Candle } from './candle.ts'
import {
  appendCandle,
  candleAt,
  countBefore,
  createSeries,
  historyStart,
  seriesOf,
} from './candle-series.ts'

const candle = (hour: number): Candle => {
  const close = 100n + BigInt(hour)
  return { openTimeMs: hour * HOUR_MS, open: close - 1n, high: close + 2n, low: close - 3n, close }
}

test('a series returns the candles appended to it and grows as needed', () => {
  const series = createSeries(2)
  const candles = Array.from({ length: 50 }, (_, hour) => candle(hour))
  for (const each of candles) appendCandle(series, each)
  expect(series.length).toBe(50)
  expect(candles.map((_, index) => candleAt(series, index))).toEqual(candles)
})

test('signals are prices in units, as numbers', () => {
  const series = seriesOf([candle(0), candle(1)])
  expect([...series.closeSignal]).toEqual([100, 101])
  expect([...series.highSignal]).toEqual([102, 103])
  expect([...series.lowSignal]).toEqual([97, 98])
})

test('a missing hour stays a hole', () => {
  const series = seriesOf([candle(0), candle(1), candle(4), candle(5)])
  expect([0, 1, 2, 3, 4, 5, 6].map((hour) => countBefore(series, hour * HOUR_MS))).toEqual([
    0, 1, 2, 2, 2, 3, 4,
  ])
})

test('a duplicate candle, a late one, or one whose close is outside its range is refused', () => {
  const series = seriesOf([candle(3)])
  expect(() => {
    appendCandle(series, candle(3))
  }).toThrow('in order of time')
  expect(() => {
    appendCandle(series, candle(2))
  }).toThrow('in order of time')
  expect(() => {
    appendCandle(series, { ...candle(4), close: 1_000n })
  }).toThrow('high and low')
  expect(() => candleAt(series, 1)).toThrow('no candle')
})

test('history starts at a whole multiple of a year, two to three years back', () => {
  const year = 8_760 * HOUR_MS
  expect(historyStart(10 * year)).toBe(8 * year)
  expect(historyStart(10 * year - 1)).toBe(7 * year)
  expect(historyStart(10 * year + 1)).toBe(8 * year)
})
