import fc from 'fast-check'
import { expect, test } from 'vitest'
import { HOUR_MS, type Candle } from './candle.ts'
import { candleAt, createSeries, seriesOf, type CandleSeries } from './candle-series.ts'
import { packCandles, unpackCandles } from './packed-candles.ts'
import { simulatedCandles } from './simulated-market.ts'

const candlesOf = (series: CandleSeries): Candle[] =>
  Array.from({ length: series.length }, (_, index) => candleAt(series, index))

const price = fc.bigInt({ min: 1n, max: 2n ** 53n - 1n })
const hours = fc
  .uniqueArray(fc.integer({ min: 0, max: 400_000 }), { maxLength: 400 })
  .map((all) => all.toSorted((a, b) => a - b))

test('any candles are restored to the last digit, holes included', () => {
  fc.assert(
    fc.property(
      hours,
      fc.array(fc.tuple(price, price, price, price), { minLength: 400, maxLength: 400 }),
      fc.constantFrom(1n, 1_000n, 12_500n),
      (times, prices, tick) => {
        const candles = times.map((hour, index): Candle => {
          const [low = 1n, open = 1n, close = 1n, high = 1n] = (prices[index] ?? [])
            .map((each) => (each / tick || 1n) * tick)
            .toSorted((a, b) => Number(a - b))
          return { openTimeMs: hour * HOUR_MS, open, high, low, close }
        })
        expect(candlesOf(unpackCandles(packCandles(seriesOf(candles)), candles.length))).toEqual(
          candles,
        )
      },
    ),
    { numRuns: 30 },
  )
})

test('truncated bytes, extra bytes and a wrong number of candles are refused', () => {
  const bytes = packCandles(
    simulatedCandles({ seed: 1, pair: 'BTC/USDT', fromMs: Date.UTC(2024, 0, 1), count: 200 }),
  )
  expect(() => unpackCandles(bytes.subarray(0, -1), 200)).toThrow('complete')
  expect(() => unpackCandles(Uint8Array.from([...bytes, 1]), 200)).toThrow(
    'end with their last column',
  )
  expect(() => unpackCandles(bytes, 199)).toThrow('candle')
  expect(unpackCandles(packCandles(createSeries(0)), 0).length).toBe(0)
})
