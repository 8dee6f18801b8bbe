import fc from 'fast-check'
import { expect, test } from 'vitest'
import { maximumOf, pushClose, pushValue, rollingMaximum, volatilityOf, yearlyVolatility } from './indicators.ts'

test('the rolling maximum is the highest of the last n values, for every n at once', () => {
  const values = fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 1, maxLength: 120 })
  fc.assert(fc.property(values, (pushed) => {
    const lookbacks = [1, 3, 7, 40]
    const rolling = rollingMaximum(lookbacks)
    for (const [index, value] of pushed.entries()) {
      pushValue(rolling, value)
      const expected = lookbacks.map((lookback) => Math.max(...pushed.slice(Math.max(0, index + 1 - lookback), index + 1)))
      expect(lookbacks.map((_, which) => maximumOf(rolling, which))).toEqual(expected)
    }
  }))
})

test('hourly moves of one percent are a volatility of 94 % a year', () => {
  const volatility = volatilityOf(10)
  let close = 100
  pushClose(volatility, close)
  for (let hour = 0; hour < 100; hour += 1) {
    close *= Math.exp(hour % 2 === 0 ? 0.01 : -0.01)
    pushClose(volatility, close)
  }
  expect(yearlyVolatility(volatility)).toBeCloseTo(0.01 * Math.sqrt(8_760), 10)
})

test('after its half-life a move weighs half', () => {
  const volatility = volatilityOf(10)
  for (const close of [1, Math.E, ...Array.from({ length: 10 }, () => Math.E)]) pushClose(volatility, close)
  const once = 1 - volatility.decay
  expect(volatility.sum).toBeCloseTo(once / 2, 12)
})

test('a market without two closes has no volatility', () => {
  const volatility = volatilityOf(10)
  expect(yearlyVolatility(volatility)).toBe(0)
  pushClose(volatility, 5)
  expect(yearlyVolatility(volatility)).toBe(0)
})
