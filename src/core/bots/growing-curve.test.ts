import { expect, test } from 'vitest'
import { curveFrom, grownByHour, grownCurve, stepsFrom } from './growing-curve.ts'

const at = (hour: number, minute = 0): string =>
  new Date(Date.UTC(2026, 0, 5, hour, minute)).toISOString()
const point = (hour: number, value: string, minute = 0) => ({ at: at(hour, minute), value })
const DAY = [point(0, '10.00'), point(1, '11.00'), point(2, '12.00')]

test('the last point moves on until it is as far from the previous one as the others are', () => {
  const moved = grownCurve([...DAY, point(2, '12.50', 30)], point(2, '13.00', 45), 2)
  expect(moved).toEqual([...DAY, point(2, '13.00', 45)])
})

test('a point begins once the last one is a step away', () => {
  expect(grownCurve(DAY, point(2, '13.00', 5), 2)).toEqual([...DAY, point(2, '13.00', 5)])
})

test('a new value of the same moment replaces the last point', () => {
  expect(grownCurve(DAY, point(2, '13.00'), 2)).toEqual([...DAY.slice(0, 2), point(2, '13.00')])
})

test('an empty curve begins now', () => {
  expect(grownCurve([], point(2, '13.00'), 2)).toEqual([point(2, '13.00')])
})

test('an hour gets one point', () => {
  expect(grownByHour(DAY, point(2, '13.00', 59))).toBe(DAY)
  expect(grownByHour(DAY, point(3, '13.00'))).toEqual([...DAY, point(3, '13.00')])
})

test('a part of a curve begins at its last point at or before the start', () => {
  expect(curveFrom(DAY, Date.parse(at(1, 30)))).toEqual(DAY.slice(1))
  expect(curveFrom(DAY, Date.parse(at(0)) - 1)).toEqual(DAY)
})

test('steps begin at the first shown value and rise only by later money', () => {
  const steps = [point(0, '100.00'), point(2, '150.00')]
  expect(stepsFrom(point(1, '103.25'), steps)).toEqual([point(1, '103.25'), point(2, '153.25')])
})
