import { expect, test } from 'vitest'
import { utcDayText } from '#app/ui/device/dates.ts'
import { curveSentence, extremesOf, nearestIndex, pathOf, positionOf, scaleOf } from './curve.ts'

const curve = [
  { at: '2026-01-01T00:00:00.000Z', value: '100.00' },
  { at: '2026-01-01T01:00:00.000Z', value: '150.00' },
  { at: '2026-01-01T04:00:00.000Z', value: '50.00' },
]
const scale = scaleOf([curve])

test('the highest value is at the top, the lowest at the bottom, and x is proportional to time', () => {
  expect(curve.map((value) => positionOf(value, scale))).toEqual([
    { x: 0, y: 0.5 },
    { x: 0.25, y: 0 },
    { x: 1, y: 1 },
  ])
})

test('a flat line runs through the middle', () => {
  const flat = [{ at: '2026-01-01T00:00:00.000Z', value: '7.00' }]
  expect(positionOf({ at: '2026-01-01T00:00:00.000Z', value: '7.00' }, scaleOf([flat])).y).toBe(0.5)
})

test('a change of one cent is visible on a huge balance', () => {
  const huge = [
    { at: '2026-01-01T00:00:00.000Z', value: '99999999.98' },
    { at: '2026-01-01T01:00:00.000Z', value: '99999999.99' },
  ]
  expect(huge.map((value) => positionOf(value, scaleOf([huge])).y)).toEqual([1, 0])
})

test('the path starts with a move and draws lines', () => {
  expect(pathOf(curve, { scale, width: 100, height: 10 })).toBe('M0 5L25 0L100 10')
})

test('a position on the chart selects the value nearest in time', () => {
  expect([0, 0.1, 0.2, 0.6, 0.7, 1].map((share) => nearestIndex(share, { curve, scale }))).toEqual([0, 0, 1, 1, 2, 2])
})

test('the lowest and the highest value are found', () => {
  expect(extremesOf(curve)).toEqual({ lowest: curve[2], highest: curve[1] })
  expect(extremesOf([])).toBeUndefined()
})

test('a curve is described in one sentence', () => {
  const days = [
    { at: '2026-01-01T12:00:00.000Z', value: '100.00' },
    { at: '2026-01-02T12:00:00.000Z', value: '80.50' },
    { at: '2026-01-03T12:00:00.000Z', value: '1250.00' },
  ]
  expect(curveSentence('Total Balance', days, utcDayText)).toBe(
    'Total Balance: from $100.00 on Jan 1, 2026 to $1,250.00 on Jan 3, 2026, lowest $80.50, highest $1,250.00.',
  )
})

test('an empty curve is described as having no values yet', () => {
  expect(curveSentence('Total Balance', [], utcDayText)).toBe('Total Balance: no values yet.')
})
