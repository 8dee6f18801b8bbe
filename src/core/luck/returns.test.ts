import { expect, test } from 'vitest'
import { sharpe } from '#core/strategy/metrics.ts'
import { uniformFrom } from '#core/market/seeded.ts'
import { dailyReturns, momentsOf } from './returns.ts'
import { yearlySharpe } from './sharpe.ts'

const drawn = (seed: number, count: number) => {
  const uniform = uniformFrom(seed)
  return Array.from({ length: count }, () => uniform() / 50 - 0.0095)
}

test('returns are changes between days', () => {
  expect(dailyReturns([100, 110, 99])).toEqual([expect.closeTo(0.1, 12), expect.closeTo(-0.1, 12)])
})

test('a coin that falls by 1 every fourth day and rises by 3 on the others: its moments', () => {
  const { mean, deviation, skewness, kurtosis } = momentsOf([-1, 3, 3, 3])
  expect([mean, deviation]).toEqual([2, 2])
  expect(skewness).toBeCloseTo(-2 / Math.sqrt(3), 12)
  expect(kurtosis).toBeCloseTo(7 / 3, 12)
})

test("without a yield on cash, the Sharpe ratio equals the backtest's", () => {
  const returns = drawn(1, 400)
  const values = returns.reduce((all, each) => [...all, (all.at(-1) ?? 0) * (1 + each)], [1_000])
  expect(yearlySharpe(momentsOf(dailyReturns(values)))).toBeCloseTo(sharpe(values) ?? 0, 10)
})

test('the yield of cash is subtracted: returns equal to cash have a Sharpe ratio of 0', () => {
  const cash = 1.04 ** (1 / 365) - 1
  const returns = drawn(2, 400)
  const shift = cash - momentsOf(returns).mean
  expect(
    momentsOf(
      returns.map((each) => each + shift),
      { cashRate: 0.04 },
    ).mean,
  ).toBeCloseTo(0, 15)
})
