import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lastPaths, standardPaths } from './bot-day.ts'
import { coefficientsOf, rounded, swingAfter, swingOf, varianceOf } from './model.ts'
import { chanceOfFall, quantileAt, range80Of, rangeOf, standardMoves } from './range.ts'
import { pastDays, type ForecastRow } from './rows.ts'
import { fallsOf, saidAndHappened, scoreOf } from './score.ts'
import { squaredMoves, swingAverages, swingFeatures } from './swings.ts'
import { seriesOf, type CandleSeries } from '#core/market/candle-series.ts'
import { HOUR_MS } from '#core/market/candle.ts'

const row = (features: number[], logTarget: number): ForecastRow => ({
  pair: 'BTC/USDT',
  timeMs: 0,
  knownAtMs: 0,
  plain: 1,
  features,
  target: Math.exp(logTarget),
  path: new Float64Array(),
  move: 0,
  fall: 0,
})

/** Deterministic numbers that look random. */
const noise = (index: number) => ((Math.sin(index * 12.9898) * 43_758.5453) % 1) * 2

test('training recovers the coefficients that generated the rows', () => {
  const b = [0.4, -0.2, 0.8, -0.4, 0.1]
  const rows = Array.from({ length: 2_000 }, (_, index) => {
    const features = b.map((_each, which) => noise(index * 7 + which * 1_000))
    return row(features, 0.3 + features.reduce((sum, x, which) => sum + x * (b[which] ?? 0), 0))
  })
  const found = coefficientsOf(rows)
  for (const [which, value] of b.entries()) expect(found.b[which]).toBeCloseTo(value, 2)
  expect(found.a).toBeCloseTo(0.3, 2)
  expect(found.scale).toBeCloseTo(1, 2)
})

test('a model whose coefficients are all zero is the plain formula', () => {
  const plain = { plain: 0.0004, features: [1, 2, 3, 4, 5] }
  expect(varianceOf({ a: 0, b: [0, 0, 0, 0, 0], scale: 1 }, plain)).toBeCloseTo(0.0004, 12)
})

test('halves are rounded up', () => {
  expect([0.0000005, -0.0000005, 1.2345675, -1.2345685].map(rounded)).toEqual([
    0.000001, 0, 1.234568, -1.234568,
  ])
})

test('a range holds the middle of past moves and a chance is the share of falls', () => {
  const past = Array.from({ length: 41 }, (_, index) => ({
    row: { ...row([], 0), move: (index - 20) / 100, fall: (index - 40) / 100 },
    variance: 1 / 24,
  }))
  const moves = standardMoves(past)
  const swing = swingOf(1 / 24)
  expect(swing).toBe(1)
  expect(rangeOf(moves, swing, 4)).toEqual({ low: -0.16, high: 0.16 })
  expect(rangeOf(moves, swing, 1)).toEqual({ low: -0.19, high: 0.19 })
  expect(rangeOf(moves, 2, 4).high).toBe(0.32)
  expect(quantileAt(moves.moves, 20)).toBe(0)
  expect(chanceOfFall(moves, Math.log(0.95) / -0.305)).toBe(10 / 41)
  expect(chanceOfFall(moves, 0.1)).toBe(0)
  expect(chanceOfFall(moves, 100)).toBe(40 / 41)
})

test('a wider swing never lowers the chance of a fall', () => {
  const moves = standardMoves(
    Array.from({ length: 500 }, (_, index) => ({
      row: { ...row([], 0), fall: noise(index) - 1 },
      variance: 0.01,
    })),
  )
  fc.assert(
    fc.property(fc.double({ min: 0.001, max: 1, noNaN: true }), (swing) => {
      return chanceOfFall(moves, swing) <= chanceOfFall(moves, swing * 1.5)
    }),
  )
})

test('QLIKE is 0 for the right variance and grows on both sides', () => {
  const forecast = (variance: number, chance = 0.1) => {
    const ranges = { range80: { low: -1, high: 1 }, range95: { low: 0.5, high: 1 } }
    const outlook = { ...ranges, variance, chance }
    return { ...outlook, row: { ...row([], 0), fall: -0.1 }, plain: outlook, fitted: 1 }
  }
  const qlike = (variance: number) => scoreOf([forecast(variance)]).qlike
  expect(qlike(1)).toBe(0)
  expect(qlike(2)).toBeGreaterThan(0)
  expect(qlike(0.5)).toBeGreaterThan(qlike(2))
  expect(scoreOf([forecast(1)])).toMatchObject({ days: 1, held80: 1, held95: 0 })
  const exact = { ...forecast(1), row: { ...row([], 0), fall: Math.log(0.95) } }
  expect(fallsOf([exact])).toEqual([{ chance: 0.1, came: true }])
  const falls = fallsOf([forecast(1, 0.12), forecast(1, 0.14), forecast(1, 0.3)])
  expect(saidAndHappened(falls)).toEqual([
    { from: 11, to: 15, days: 2, said: 0.13, happened: 2 },
    { from: 30, to: 100, days: 1, said: 0.3, happened: 1 },
  ])
})

const seriesWith = (closes: readonly bigint[]) =>
  seriesOf(
    closes.map((close, hour) => ({
      openTimeMs: hour * HOUR_MS,
      open: close,
      high: close,
      low: close,
      close,
    })),
  )

const averagesOf = (series: CandleSeries) => swingAverages(squaredMoves(series))

test('a move above 0.5 is counted as 0.5', () => {
  expect([...squaredMoves(seriesWith([100n, 10_000n, 10_000n, 1n]))]).toEqual([0, 0.25, 0, 0.25])
})

test('too few candles and a pair that never moved have no forecast', () => {
  const alternating = Array.from({ length: 1_921 }, (_, hour) => 100n + BigInt(hour % 2))
  const averages = averagesOf(seriesWith(alternating))
  expect(swingFeatures(averages, 1_919)).toBeUndefined()
  expect(swingFeatures(averages, 1_920)?.features.length).toBe(5)
  expect(swingFeatures(averagesOf(seriesWith(alternating.map(() => 1n))), 1_920)).toBeUndefined()
})

test('a forecast from the last 8,641 closes equals one from all of them', () => {
  const closes = Array.from({ length: 9_000 }, (_, hour) => 100n + BigInt((hour * hour) % 13))
  const series = seriesWith(closes)
  const model = { a: 0, b: [0.2, 0.2, 0.2, 0.2, 0.2], scale: 1 }
  const moves = Array.from({ length: 39 }, (_, step) => step - 19)
  const swings = swingFeatures(averagesOf(series), 8_899)
  const swing = swings ? swingOf(varianceOf(model, swings)) : 0
  expect(swing).toBeGreaterThan(0)
  const read = swingAfter(model, { series, count: 8_900 })
  expect(read).toBeCloseTo(swing, 9)
  expect(range80Of({ moves, falls: [] }, 2)).toEqual({ low: -32, high: 32 })
})

test("a past day's fall is measured to its lowest close, its move to its last close", () => {
  const closes = Array.from({ length: 24 * 90 }, (_, hour) => {
    if (hour % 24 === 12) return 90n
    return 100n + BigInt(hour % 24 === 23 ? 0 : hour % 2)
  })
  const day = pastDays(seriesWith(closes))[0]
  expect(day?.move).toBeCloseTo(0, 9)
  expect(day?.fall).toBeCloseTo(Math.log(0.9), 9)
})

test('the paths of the last year are equal from all candles and from only those needed', () => {
  const length = 24 * 900
  const closes = Array.from({ length }, (_, hour) => 100n + BigInt((hour * hour) % 13))
  const model = { a: 0, b: [0.2, 0.2, 0.2, 0.2, 0.2], scale: 1, moves: [], falls: [] }
  const trained = { ...model, trainedUntilMs: 0, rows: 1, plainScale: 1 }
  const series = seriesWith(closes)
  const read = lastPaths(trained, { series, count: length })
  const all = standardPaths(trained, pastDays(series))
  for (let day = 1; day <= 365; day += 1) {
    const atMs = (length - 24 * day) * HOUR_MS
    expect(read.get(atMs)?.at(-1)).toBeCloseTo(all.get(atMs)?.at(-1) ?? Number.NaN, 9)
  }
})
