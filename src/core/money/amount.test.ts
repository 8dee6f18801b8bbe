import { expect, test } from 'vitest'
import { maximum, minimum } from './amount.ts'

test.each([
  [1n, 2n],
  [2n, 1n],
  [-2n, 1n],
  [2n, 2n],
])('of %s and %s, one is the smallest and one the largest', (a, b) => {
  const sorted = [a, b].toSorted((one, other) => Number(one - other))
  expect([minimum(a, b), maximum(a, b)]).toEqual(sorted)
})
