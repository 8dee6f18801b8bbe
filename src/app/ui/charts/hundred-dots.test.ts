import { expect, test } from 'vitest'
import { dotsOf } from './hundred-dots.tsx'

test.each([
  ['30.29', '26.23', { lost: 31, between: 43, reached: 26 }],
  ['30.00', '26.99', { lost: 30, between: 44, reached: 26 }],
  ['0.00', '100.00', { lost: 0, between: 0, reached: 100 }],
  ['0.01', '99.99', { lost: 1, between: 0, reached: 99 }],
  ['100.00', '0.00', { lost: 100, between: 0, reached: 0 }],
  ['28.92', undefined, { lost: 29, between: 0, reached: 71 }],
])('losses of %s % are rounded up and targets reached by %s % down', (lost, reached, dots) => {
  expect(dotsOf({ losingPercent: lost, reachedPercent: reached })).toEqual(dots)
})
