import { expect, test } from 'vitest'
import { placesOf } from './outcome-bar.tsx'

test.each([
  [
    { worst: '-50', median: '10', best: '50' },
    { start: 500, low: 0, high: 1_000, turn: 500 },
  ],
  [
    { worst: '10', median: '20', best: '50' },
    { start: 0, low: 200, high: 1_000, turn: 200 },
  ],
  [
    { worst: '-50', median: '-20', best: '-10' },
    { start: 1_000, low: 0, high: 800, turn: 800 },
  ],
  [
    { worst: '-50', median: '-20' },
    { start: 1_000, low: 0, high: 600, turn: 600 },
  ],
])('of outcomes %j no gain is drawn as a loss, and no loss as a gain', (marks, places) => {
  expect(placesOf(marks)).toMatchObject(places)
})

test('on one scale, twice the loss is a red of twice the length', () => {
  const scale = [
    { worst: '-20', median: '10' },
    { worst: '-40', median: '60' },
  ] as const
  expect(placesOf(scale[0], scale)).toMatchObject({ low: 200, start: 400, middle: 500 })
  expect(placesOf(scale[1], scale)).toMatchObject({ low: 0, start: 400, middle: 1_000 })
})
