import { expect, test } from 'vitest'
import { barsOf } from './outcome-timeline.tsx'

const box = { width: 100, height: 100 }

test('gains are drawn above the zero line, losses below it', () => {
  const { bars, zero } = barsOf(['75.00', '-25.00'], box)
  expect(zero).toBe(75)
  expect(bars).toEqual([
    { x: 0, y: 0, width: 40, height: 75, gains: true },
    { x: 50, y: 75, width: 40, height: 25, gains: false },
  ])
})

test('the scale covers at least ±25 %; an outcome of zero is a bar of 1 unit', () => {
  expect(barsOf(['10.00', '5.00'], box).zero).toBe(50)
  expect(barsOf(['0.00', '5.00'], box).bars[0]).toEqual({
    x: 0,
    y: 49,
    width: 40,
    height: 1,
    gains: true,
  })
  expect(barsOf([], box).bars).toEqual([])
})

test('grid lines are at 0, ±25 and ±50 %, and further apart where they would be crowded', () => {
  const percents = (...values: string[]) => barsOf(values, box).lines.map(({ percent }) => percent)
  expect(percents('10.00')).toEqual([-25, 0, 25])
  expect(percents('72.14', '-49.99')).toEqual([-25, 0, 25, 50])
  expect(percents('60.00', '-50.00')).toEqual([-50, -25, 0, 25, 50])
  expect(percents('180.00', '-50.00')).toEqual([-50, 0, 50, 100, 150])
  expect(percents('900.00', '-50.00')).toEqual([0, 500])
  expect(barsOf(['75.00'], box).lines).toEqual([
    { y: 100, percent: -25 },
    { y: 75, percent: 0 },
    { y: 50, percent: 25 },
    { y: 25, percent: 50 },
    { y: 0, percent: 75 },
  ])
})
