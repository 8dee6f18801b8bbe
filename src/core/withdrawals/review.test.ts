import { expect, test } from 'vitest'
import { reviewReasons } from './review.ts'

const LIMITS = { amount: 1_000n, count: 3, youngDeposits: 100n }

test.each([
  [1_000n, 0n, 0, ''],
  [1_001n, 0n, 0, 'amount'],
  [400n, 600n, 1, ''],
  [401n, 600n, 1, 'amount'],
  [10n, 20n, 2, ''],
  [10n, 30n, 3, 'count'],
  [990n, 30n, 3, 'amount, count'],
])('%s after %s in %i withdrawals is reviewed for: %s', (amount, earlier, count, reasons) => {
  expect(
    reviewReasons(
      { amount, available: 5_000n, requested: { amount: earlier, count }, youngDeposits: 0n },
      LIMITS,
    ).join(', '),
  ).toBe(reasons)
})

test.each([
  [500n, 500n, 500n, true],
  [100n, 500n, 500n, false],
  [101n, 500n, 500n, true],
  [400n, 1_000n, 500n, false],
  [600n, 1_000n, 500n, false],
  [601n, 1_000n, 500n, true],
  [50n, 60n, 5_000n, false],
])(
  '%s of %s, of which %s are young deposits: reviewed, %s',
  (amount, available, youngDeposits, isReviewed) => {
    expect(
      reviewReasons(
        { amount, available, requested: { amount: 0n, count: 0 }, youngDeposits },
        LIMITS,
      ),
    ).toEqual(isReviewed ? ['young-deposits'] : [])
  },
)
