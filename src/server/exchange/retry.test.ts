import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RETRY_FLOOR_MS, retryDelayMs } from './retry.ts'

test('each failure is retried after a second at the earliest, half a minute at the latest', () => {
  fc.assert(
    fc.property(
      fc.nat({ max: 1_000_000 }),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      (failures, random) => {
        const delayMs = retryDelayMs({ failures, random })
        expect(delayMs).toBeGreaterThanOrEqual(RETRY_FLOOR_MS)
        expect(delayMs).toBeLessThan(30_001)
      },
    ),
  )
})

test('the wait grows with each failure', () => {
  expect(
    [1, 2, 3, 4, 5, 6]
      .map((failures) => retryDelayMs({ failures, random: 0.999_999 }))
      .map(Math.round),
  ).toEqual([2_000, 4_000, 8_000, 16_000, 30_000, 30_000])
})
