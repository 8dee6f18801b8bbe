import { expect, test } from 'vitest'
import { maximum, minimum } from './amount.ts'

test.each([
  [1n, 2n],
  [2n, 1n],
  [-2n, 1n],
  [2n, 2n],
])('of %s and %s, the smallest and the largest are found', (a, b) => {
  const sorted = [a, b].toSorted((one, other) => Number(one - other))
  expect([minimum(a, b), maximum(a, b)]).toEqual(sorted)
})
