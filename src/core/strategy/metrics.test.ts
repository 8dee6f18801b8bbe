import { expect, test } from 'vitest'
import { DAY_MS } from '#core/market/candle.ts'
import { cagr, maxDrawdown, sharpe, totalReturn, volatilityAYear } from './metrics.ts'

const curve = (...equities: bigint[]) =>
  equities.map((equity, day) => ({ timeMs: day * DAY_MS, equity }))

test('a fall from 120 to 90 is a drawdown of 25 %, whatever happens before and after', () => {
  expect(maxDrawdown(curve(100n, 120n, 110n, 90n, 150n, 140n))).toBe(0.25)
  expect(maxDrawdown(curve(100n, 110n, 120n))).toBe(0)
  expect(maxDrawdown([])).toBe(0)
})

test('returns are fractions of the starting equity', () => {
  expect(totalReturn({ start: 200n, end: 250n })).toBe(0.25)
  expect(totalReturn({ start: 200n, end: 0n })).toBe(-1)
  expect(totalReturn({ start: 0n, end: 5n })).toBe(0)
})

test('doubling in two years is a growth of 41 % a year', () => {
  expect(cagr({ start: 100n, end: 200n, durationMs: 730 * DAY_MS })).toBeCloseTo(Math.SQRT2 - 1, 10)
})

test('less than 30 days is not extrapolated to a year', () => {
  expect(cagr({ start: 100n, end: 200n, durationMs: 29 * DAY_MS })).toBeUndefined()
  expect(sharpe([1, 2, 3])).toBeUndefined()
})

test('Sharpe ratio and volatility are computed from daily returns', () => {
  const daily = [100]
  for (let day = 0; day < 40; day += 1)
    daily.push((daily[day] ?? 0) * (day % 2 === 0 ? 1.02 : 0.99))
  const deviation = 0.015 * Math.sqrt(40 / 39)
  expect(sharpe(daily)).toBeCloseTo((0.005 / deviation) * Math.sqrt(365), 8)
  expect(volatilityAYear(daily)).toBeCloseTo(deviation * Math.sqrt(365), 8)
  expect(sharpe(Array.from({ length: 40 }, () => 1))).toBeUndefined()
})
