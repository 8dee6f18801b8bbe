import { expect, test } from 'vitest'
import { growthSinceStart } from './compared-growth.ts'

const points = (...values: bigint[]) => values.map((equity, timeMs) => ({ timeMs, equity }))

test('growth is measured from the first point', () => {
  expect(growthSinceStart(points(200n, 220n, 150n))).toEqual([
    { timeMs: 0, percent: '0.00' },
    { timeMs: 1, percent: '10.00' },
    { timeMs: 2, percent: '-25.00' },
  ])
})

test('a curve without a value at its beginning has not grown; one without points has none', () => {
  expect(growthSinceStart(points(0n, 5n))).toEqual([
    { timeMs: 0, percent: '0.00' },
    { timeMs: 1, percent: '0.00' },
  ])
  expect(growthSinceStart([])).toEqual([])
})
