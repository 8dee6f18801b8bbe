import { expect, test } from 'vitest'
import { fanAfter, fanOf } from './fan.ts'

const ENDS = { low: '-10.00', high: '20.00' }

test('a fan begins at the last value, ends at the range, and widens with the root of time', () => {
  const fan = fanOf(100, ENDS, 4)
  expect(fan.length).toBe(5)
  expect(fan[0]).toEqual({ low: 100, high: 100 })
  expect(fan[1]?.low).toBeCloseTo(100 * Math.sqrt(0.9), 9)
  expect(fan[1]?.high).toBeCloseTo(100 * Math.sqrt(1.2), 9)
  expect(fan[4]?.low).toBeCloseTo(90, 9)
  expect(fan[4]?.high).toBeCloseTo(120, 9)
})

const HOUR_MS = 3_600_000
const START_MS = Date.UTC(2026, 0, 1)
const curveOf = (hours: number) =>
  [0, hours].map((hour) => ({
    at: new Date(START_MS + hour * HOUR_MS).toISOString(),
    value: '500.00',
  }))

test.each([
  ['as long as a day', 240, 24],
  ['a tenth of an older curve', 2_400, 240],
  ['three tenths of a younger one', 10, 3],
  ['visible behind a bot that was just created', 0, 7.2],
])('a fan begins at the end of its curve and is %s', (_, hours, width) => {
  const curve = curveOf(hours)
  const [low = [], high = []] = fanAfter(curve, ENDS)
  const ends = [low[0], low.at(-1), high[0], high.at(-1)]
  expect(ends.map((one) => one?.value)).toEqual(['500.00', '450.00', '500.00', '600.00'])
  const at = ends.map((one) => (Date.parse(one?.at ?? '') - START_MS) / HOUR_MS)
  expect(at).toEqual([hours, hours + width, hours, hours + width])
  expect(fanAfter([], ENDS)).toEqual([])
})
