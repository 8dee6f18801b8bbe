import { expect, test } from 'vitest'
import { worthAfter } from './worth-after.ts'

test.each([
  ['500', '13.59', '567.95'],
  ['500', '-14.89', '425.55'],
  ['100', '-100.00', '0.00'],
  ['100', '0.00', '100.00'],
  ['1', '-0.01', '0.99'],
])('%s dollars after %s percent are %s, rounded down', (amount, percent, worth) => {
  expect(worthAfter(amount, percent)).toBe(worth)
})
