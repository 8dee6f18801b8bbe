import { expect, test } from 'vitest'
import { deliveryRetryMs } from './retry.ts'

test('a delivery that fails waits twice as long each time, up to four hours', () => {
  expect([1, 2, 3, 12, 13, 23].map(deliveryRetryMs)).toEqual([
    5_000, 10_000, 20_000, 10_240_000, 14_400_000, 14_400_000,
  ])
})

test('a delivery is given up after about two days', () => {
  const waits = Array.from({ length: 40 }, (_, index) => deliveryRetryMs(index + 1))
  expect(waits.findIndex((wait) => wait === undefined)).toBe(23)
  const hours = waits.reduce<number>((sum, wait) => sum + (wait ?? 0), 0) / 3_600_000
  expect(hours).toBeGreaterThan(40)
  expect(hours).toBeLessThan(72)
})
