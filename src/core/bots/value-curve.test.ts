import { expect, test } from 'vitest'
import { HOUR_MS, type Candle } from '#core/market/candle.ts'
import { seriesOf } from '#core/market/candle-series.ts'
import { decimalToUnits as units } from '#core/money/decimal.ts'
import { timeGrid, valueCurve, type Flow } from './value-curve.ts'

/** Closes of 100, 110, 120 …; the candle of hour 3 is missing. */
const btc = seriesOf([0, 1, 2, 4, 5].map((hour): Candle => {
  const price = units(String(100 + hour * 10))
  return { openTimeMs: hour * HOUR_MS, open: price, high: price, low: price, close: price }
}))

test('a deposit of 1,000, half of it bought at 100 and sold at 140, is worth what it was at each hour', () => {
  const flows: Flow[] = [
    { timeMs: 0, cash: units('1000') },
    { timeMs: HOUR_MS, pair: 'BTC/USDT', cash: -units('500'), base: units('5') },
    { timeMs: 5 * HOUR_MS, pair: 'BTC/USDT', cash: units('700'), base: -units('5') },
    { timeMs: 6 * HOUR_MS, cash: -units('200') },
  ]
  const timesMs = [0, 1, 2, 3, 4, 5, 6].map((hour) => hour * HOUR_MS)
  const worth = valueCurve({ flows, timesMs, seriesOf: () => btc }).map(({ equity }) => equity)
  expect(worth).toEqual(['1000', '1000', '1050', '1100', '1100', '1200', '1000'].map((value) => units(value)))
})

test('a coin is worth nothing known before its first candle closed, and the running candle tells nothing', () => {
  const flows: Flow[] = [{ timeMs: 0, cash: 0n, pair: 'BTC/USDT', base: units('1') }]
  const timesMs = [0, HOUR_MS - 1, HOUR_MS, 2 * HOUR_MS - 1]
  const worth = valueCurve({ flows, timesMs, seriesOf: () => btc }).map(({ equity }) => equity)
  expect(worth).toEqual([0n, 0n, units('100'), units('100')])
})

test('flows before the first moment count, flows after the last do not', () => {
  const flows: Flow[] = [{ timeMs: -5, cash: 7n }, { timeMs: 10, cash: 100n }]
  expect(valueCurve({ flows, timesMs: [0, 9], seriesOf: () => btc })).toEqual([{ timeMs: 0, equity: 7n }, { timeMs: 9, equity: 7n }])
})

test('a grid has both ends, whole milliseconds and no more points than asked', () => {
  expect(timeGrid({ fromMs: 0, toMs: 10, points: 4 })).toEqual([0, 3, 7, 10])
  expect(timeGrid({ fromMs: 5, toMs: 5, points: 100 })).toEqual([5])
  expect(timeGrid({ fromMs: 5, toMs: 4, points: 100 })).toEqual([4])
  expect(timeGrid({ fromMs: 0, toMs: 9, points: 1 })).toEqual([0, 9])
})
