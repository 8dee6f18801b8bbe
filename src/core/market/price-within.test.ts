import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Candle } from './candle.ts'
import { priceWithin } from './price-within.ts'

const rising: Candle = { openTimeMs: 0, open: 100n, high: 120n, low: 90n, close: 110n }
const falling: Candle = { openTimeMs: 0, open: 110n, high: 120n, low: 90n, close: 100n }
const at = (candle: Candle, thousandths: number) => priceWithin({ candle, thousandths })

test('a rising candle moves from its open to its low, its high and its close', () => {
  expect([0, 333, 667, 1_000].map((thousandths) => at(rising, thousandths))).toEqual([
    100n,
    90n,
    120n,
    110n,
  ])
})

test('a falling candle reaches its high first', () => {
  expect([0, 333, 667, 1_000].map((thousandths) => at(falling, thousandths))).toEqual([
    110n,
    120n,
    90n,
    100n,
  ])
})

test('the price starts at the open, ends at the close and stays within the candle', () => {
  const prices = fc.array(fc.bigInt(1n, 10n ** 15n), { minLength: 4, maxLength: 4 })
  fc.assert(
    fc.property(prices, fc.integer({ min: 0, max: 1_000 }), (drawn, thousandths) => {
      const [low = 1n, open = 1n, close = 1n, high = 1n] = drawn.sort((a, b) => (a < b ? -1 : 1))
      for (const candle of [
        { openTimeMs: 0, open, high, low, close },
        { openTimeMs: 0, open: close, high, low, close: open },
      ]) {
        const price = at(candle, thousandths)
        expect(price >= low && price <= high).toBe(true)
        expect([at(candle, 0), at(candle, 1_000)]).toEqual([candle.open, candle.close])
      }
    }),
  )
})

test('a time outside the candle is a bug', () => {
  expect(() => at(rising, 1_001)).toThrow('thousandths')
  expect(() => at(rising, 0.5)).toThrow('thousandths')
})
