import { expect, test } from 'vitest'
import { placesOf, worthAfter } from './put-in.tsx'

test.each([
  ['500', '13.59', '567.95'],
  ['500', '-14.89', '425.55'],
  ['100', '-100.00', '0.00'],
  ['100', '0.00', '100.00'],
  ['1', '-0.01', '0.99'],
])('%s dollars after %s percent are %s, rounded down', (amount, percent, worth) => {
  expect(worthAfter(amount, percent)).toBe(worth)
})

test.each([
  [['-50', '10', '50'], { start: 500, low: 0, high: 1_000, turn: 500 }],
  [['10', '20', '50'], { start: 0, low: 200, high: 1_000, turn: 200 }],
  [['-50', '-20', '-10'], { start: 1_000, low: 0, high: 800, turn: 800 }],
])('of outcomes %j no gain is drawn as a loss, and no loss as a gain', (percents, places) => {
  expect(placesOf(percents.map((percent) => ({ percent })))).toMatchObject(places)
})
