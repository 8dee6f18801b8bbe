import fc from 'fast-check'
import { expect, test } from 'vitest'
import { accountTotals, lossStep, totalsSince } from './account-figures.ts'

const units = fc.bigInt({ min: 0n, max: 10n ** 16n })

test('deposits, withdrawals and debts are neither a gain nor a loss', () => {
  expect(
    accountTotals({ total: 100n, owed: 0n, deposited: 100n, withdrawn: 0n, fees: 0n }).result,
  ).toBe(0n)
  expect(
    accountTotals({ total: 60n, owed: 0n, deposited: 100n, withdrawn: 40n, fees: 0n }).result,
  ).toBe(0n)
  expect(
    accountTotals({ total: 50n, owed: 50n, deposited: 0n, withdrawn: 0n, fees: 0n }).result,
  ).toBe(0n)
  expect(
    accountTotals({ total: 70n, owed: 0n, deposited: 100n, withdrawn: 0n, fees: 2n }).result,
  ).toBe(-30n)
})

test('the weeks add up: start plus deposits, less withdrawals, plus the result, is the end', () =>
  fc.assert(
    fc.property(
      units,
      units,
      units,
      units,
      units,
      units,
      (total, deposited, withdrawn, laterTotal, moreIn, moreOut) => {
        const before = accountTotals({ total, owed: 0n, deposited, withdrawn, fees: 0n })
        const now = accountTotals({
          total: laterTotal,
          owed: 0n,
          deposited: deposited + moreIn,
          withdrawn: withdrawn + moreOut,
          fees: 0n,
        })
        const week = totalsSince(now, before)
        expect(total + week.deposited - week.withdrawn + week.result).toBe(laterTotal)
        expect(totalsSince(before).result + week.result).toBe(now.result)
      },
    ),
  ))

test.each([
  [-99n, false, undefined],
  [-100n, false, 'report'],
  [-5_000n, false, 'report'],
  [100n, false, undefined],
  [-100n, true, undefined],
  [-90n, true, undefined],
  [-89n, true, 'watch'],
  [10n, true, 'watch'],
] as const)(
  'a result of %s with a limit of 100, reported: %s, gives %s',
  (result, isReported, step) => expect(lossStep({ result, limit: 100n, isReported })).toBe(step),
)
