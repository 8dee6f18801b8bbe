import { expect, test } from 'vitest'
import { barsOf } from './timeline-bars.ts'

const box = { width: 100, height: 100 }

test('gains rise from the zero line, losses hang from it', () => {
  const { bars, zero } = barsOf(['30.00', '-10.00'], box)
  expect(zero).toBe(75)
  expect(bars).toEqual([
    { x: 0, y: 0, width: 40, height: 75, gains: true },
    { x: 50, y: 75, width: 40, height: 25, gains: false },
  ])
})

test('without losses the zero line is the bottom; an outcome of zero is a bar of 1 unit', () => {
  expect(barsOf(['10.00', '5.00'], box).zero).toBe(100)
  expect(barsOf(['0.00', '5.00'], box).bars[0]).toEqual({ x: 0, y: 99, width: 40, height: 1, gains: true })
  expect(barsOf([], box).bars).toEqual([])
})
