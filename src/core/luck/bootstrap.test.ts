import { expect, test } from 'vitest'
import { nearlyNormal, uniformFrom } from '#core/market/seeded.ts'
import { bootstrapBand } from './bootstrap.ts'

test('with equal daily returns low, median and high are the same', () => {
  const year = 1.001 ** 365 - 1
  const { low, median, high } = bootstrapBand(
    Array.from({ length: 50 }, () => 0.001),
    { days: 365, seed: 1 },
  )
  for (const gain of [low, median, high]) expect(gain).toBeCloseTo(year, 10)
})

test('one-day blocks are independent draws, with the band of a normal sum of logarithms', () => {
  const uniform = uniformFrom(3)
  const returns = Array.from({ length: 2_000 }, () => Math.exp(0.01 * nearlyNormal(uniform)) - 1)
  const logs = returns.map((each) => Math.log(1 + each))
  const mean = logs.reduce((sum, each) => sum + each, 0) / logs.length
  const deviation = Math.sqrt(logs.reduce((sum, each) => sum + (each - mean) ** 2, 0) / logs.length)
  const band = bootstrapBand(returns, { days: 400, seed: 5, blockDays: 1, resamples: 20_000 })
  expect(Math.log(1 + band.median)).toBeCloseTo(400 * mean, 1)
  expect(Math.log(1 + band.low)).toBeCloseTo(400 * mean - 1.6449 * deviation * 20, 1)
  expect(Math.log(1 + band.high)).toBeCloseTo(400 * mean + 1.6449 * deviation * 20, 1)
  expect(
    Math.abs(Math.log((1 + band.high) / (1 + band.low)) / (2 * 1.6449 * deviation * 20) - 1),
  ).toBeLessThan(0.03)
})

test('long blocks keep dependent days together: gains reversed the next day cancel out', () => {
  const returns = Array.from({ length: 1_000 }, (_, day) => (day % 2 === 0 ? 0.01 : 1 / 1.01 - 1))
  const width = (blockDays: number) => {
    const { low, high } = bootstrapBand(returns, { days: 365, seed: 2, blockDays })
    return high - low
  }
  expect(width(30)).toBeLessThan(width(1) / 3)
})

test('blocks have random lengths with the requested mean', () => {
  const returns = Array.from(
    { length: 1_000 },
    (_, day) => Math.exp(day % 2 === 0 ? 0.01 : -0.01) - 1,
  )
  const { low, high } = bootstrapBand(returns, {
    days: 10_000,
    seed: 4,
    blockDays: 30,
    resamples: 4_000,
  })
  const measured = Math.log((1 + high) / (1 + low)) / (2 * 1.6449) / 0.01
  // Blocks of even length cancel out, so only odd ones add variance. A geometric length with mean
  // 1/p is odd with probability 1/(2 − p).
  expect(measured / Math.sqrt(10_000 / 30 / (2 - 1 / 30))).toBeGreaterThan(0.93)
  expect(measured / Math.sqrt(10_000 / 30 / (2 - 1 / 30))).toBeLessThan(1.07)
})

test('the same seed gives the same band', () => {
  const returns = Array.from({ length: 300 }, (_, day) => Math.sin(day) / 50)
  const band = (seed: number) => bootstrapBand(returns, { days: 365, seed })
  expect(band(1)).toEqual(band(1))
  expect(band(1)).not.toEqual(band(2))
})
