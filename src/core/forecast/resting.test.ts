import { expect, test } from 'vitest'
import { DAY_MS } from '#core/market/candle.ts'
import { answering, isResting, type RangeModel, type ScoredForecast } from './walk-forward.ts'

const atMs = 1_000 * DAY_MS

type Some = Pick<ScoredForecast, 'variance' | 'fitted'>

/** Forecasts of a day whose variance was 1. */
const day = (back: number, { variance, fitted }: Some): ScoredForecast => {
  const timeMs = atMs - back * DAY_MS
  const known = { timeMs, knownAtMs: timeMs + DAY_MS, target: 1 }
  return { row: { ...known, plain: 1, move: 0, fall: 0 }, variance, fitted }
}
const better = { variance: 1.1, fitted: 2 }
const worse = { variance: 2, fitted: 1.1 }

test('the model rests after a year in which the plain formula was better, and only then', () => {
  const days = (some: Some) => Array.from({ length: 365 }, (_, index) => day(index + 1, some))
  expect(isResting(days(worse), atMs)).toBe(true)
  expect(isResting(days(better), atMs)).toBe(false)
  expect(isResting(days({ variance: 2, fitted: 2 }), atMs), 'as good').toBe(false)
  expect(isResting([], atMs), 'before the first score').toBe(false)
})

test('days before the last 365 and days without an outcome are ignored', () => {
  const much = { variance: 100, fitted: 1 }
  expect(isResting([day(366, much), day(1, better)], atMs)).toBe(false)
  expect(isResting([day(365, much), day(1, better)], atMs)).toBe(true)
  expect(isResting([day(2, better), day(0, much)], atMs)).toBe(false)
})

test('while a model rests, coefficients and past moves are those of the plain formula', () => {
  const model: RangeModel = {
    a: 0.1,
    b: [0.2],
    scale: 1.5,
    moves: [1],
    falls: [-1],
    trainedUntilMs: 0,
    rows: 500,
    plainScale: 1,
  }
  const resting = { a: 0, b: [], scale: 1, moves: [2], falls: [-2] }
  expect(answering(model)).toEqual(model)
  expect(answering({ ...model, resting })).toMatchObject({ ...model, ...resting })
})
