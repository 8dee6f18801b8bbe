import { expect, test } from 'vitest'
import { pushClose, volatilityOf, yearlyVolatility } from './volatility.ts'

test('hourly moves of 1 % are a volatility of 94 % a year', () => {
  const volatility = volatilityOf(10)
  let close = 100
  pushClose(volatility, close)
  for (let hour = 0; hour < 100; hour += 1) {
    close *= Math.exp(hour % 2 === 0 ? 0.01 : -0.01)
    pushClose(volatility, close)
  }
  expect(yearlyVolatility(volatility)).toBeCloseTo(0.01 * Math.sqrt(8_760), 10)
})

test('a move has half its weight after one half-life', () => {
  const volatility = volatilityOf(10)
  for (const close of [1, Math.E, ...Array.from({ length: 10 }, () => Math.E)])
    pushClose(volatility, close)
  const once = 1 - volatility.decay
  expect(volatility.sum).toBeCloseTo(once / 2, 12)
})

test('fewer than two closes give no volatility', () => {
  const volatility = volatilityOf(10)
  expect(yearlyVolatility(volatility)).toBe(0)
  pushClose(volatility, 5)
  expect(yearlyVolatility(volatility)).toBe(0)
})
