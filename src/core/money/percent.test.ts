import { expect, test } from 'vitest'
import { percentGained, percentLost, percentOf, percentOfFraction } from './percent.ts'

test.each([
  [1n, 8n, '12.50'],
  [1n, 3n, '33.33'],
  [-1n, 3n, '-33.34'],
  [2n, 3n, '66.66'],
  [-1n, 1_000_000n, '-0.01'],
  [3n, 1n, '300.00'],
  [0n, 5n, '0.00'],
  [5n, 0n, '0.00'],
  [5n, -1n, '0.00'],
  [10n ** 18n, 10n ** 18n, '100.00'],
])('%s of %s is %s percent, floored', (part, whole, percent) =>
  expect(percentOf({ part, whole })).toBe(percent),
)

test.each([
  [0.15, '15.00'],
  [0.12345, '12.35'],
  [-0.5, '-50.00'],
  [0, '0.00'],
  [-0, '0.00'],
  [1, '100.00'],
  [-0.00001, '0.00'],
])('the fraction %s is %s percent', (fraction, percent) =>
  expect(percentOfFraction(fraction)).toBe(percent),
)

test.each([
  [1.15, '15.00'],
  [1.129_99, '12.99'],
  [0.999_99, '-0.01'],
  [1, '0.00'],
])('from 1 to %s is a gain of %s percent, never more than it was', (ratio, percent) =>
  expect(percentGained(ratio)).toBe(percent),
)

test('a loss is shown no smaller than it was', () => {
  expect(percentLost(0.123_41)).toBe('12.35')
  expect(percentLost(0.07)).toBe('7.00')
})
