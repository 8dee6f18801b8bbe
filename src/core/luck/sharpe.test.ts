import { expect, test } from 'vitest'
import { normalQuantile } from './normal.ts'
import type { ReturnMoments } from './returns.ts'
import {
  deflatedSharpe,
  expectedMaximum,
  luckHurdle,
  minimumYears,
  probabilityAbove,
} from './sharpe.ts'
import { uniformFrom } from '#core/market/seeded.ts'

/**
 * The example of "The Deflated Sharpe Ratio": a Sharpe ratio of 2.5 a year over 1,250 days (250 a
 * year), and trials with a variance of 1/2 a year.
 */
const example: ReturnMoments = {
  count: 1_250,
  mean: 2.5 / Math.sqrt(250),
  deviation: 1,
  skewness: -3,
  kurtosis: 10,
}
const variance = 1 / 2 / 250

test('the worked example of the deflated Sharpe ratio: 100 trials, 0.1132 and 90.04 %', () => {
  expect(luckHurdle({ trials: 100, variance })).toBeCloseTo(0.1132, 4)
  expect(deflatedSharpe(example, { trials: 100, variance })).toBeCloseTo(0.9004, 4)
})

test('the probability is 95.05 % after 46 trials, or after 88 if returns were normal', () => {
  expect(deflatedSharpe(example, { trials: 46, variance })).toBeCloseTo(0.9505, 4)
  expect(
    deflatedSharpe({ ...example, skewness: 0, kurtosis: 3 }, { trials: 88, variance }),
  ).toBeCloseTo(0.9505, 4)
})

test('one trial deflates nothing; a Sharpe ratio at its hurdle has a probability of 0.5', () => {
  expect(deflatedSharpe(example, { trials: 1, variance: 0 })).toBe(probabilityAbove(example, 0))
  expect(probabilityAbove(example, example.mean)).toBe(0.5)
})

test('normal returns without skill have the textbook error of a mean', () => {
  const moments: ReturnMoments = { count: 401, mean: 0.1, deviation: 1, skewness: 0, kurtosis: 3 }
  expect(normalQuantile(probabilityAbove(moments, 0))).toBeCloseTo(
    (0.1 * 20) / Math.sqrt(1 + 0.1 ** 2 / 2),
    10,
  )
})

test.each([50, 100, 192])('the expected best of %i trials matches random draws', (trials) => {
  const uniform = uniformFrom(7)
  const rounds = 4_000
  let sum = 0
  for (let round = 0; round < rounds; round += 1) {
    let highest = 0
    for (let trial = 0; trial < trials; trial += 1) highest = Math.max(highest, uniform())
    sum += normalQuantile(highest)
  }
  expect(Math.abs(sum / rounds - expectedMaximum(trials))).toBeLessThan(0.04)
})

test('a backtest of five years suffices for 45 trials and no more', () => {
  expect(minimumYears({ trials: 45, sharpe: 1 })).toBeLessThan(5)
  expect(minimumYears({ trials: 46, sharpe: 1 })).toBeGreaterThan(5)
  expect(minimumYears({ trials: 45, sharpe: 1 })).toBeLessThan(2 * Math.log(45))
  expect(minimumYears({ trials: 45, sharpe: 0.5 })).toBeCloseTo(
    4 * minimumYears({ trials: 45, sharpe: 1 }),
    10,
  )
  expect(minimumYears({ trials: 45, sharpe: 0 })).toBe(Number.POSITIVE_INFINITY)
})
