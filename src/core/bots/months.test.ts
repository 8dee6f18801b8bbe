import fc from 'fast-check'
import { expect, test } from 'vitest'
import { shownGain } from './gain.ts'
import { gainsOfMonths, MONTH_MS, monthStarts } from './months.ts'

const FIRST_MS = 1_000

test('months are counted from the first money, the present one included, at most twelve', () => {
  const startsAfter = (months: number) =>
    monthStarts({ firstMs: FIRST_MS, toMs: FIRST_MS + months * MONTH_MS }).map(
      (startMs) => (startMs + 1 - FIRST_MS) / MONTH_MS,
    )
  expect(startsAfter(0)).toEqual([])
  expect(startsAfter(0.5)).toEqual([0])
  expect(startsAfter(1.5)).toEqual([0, 1])
  expect(startsAfter(14.5)).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14])
})

test('money invested as a month begins counts in that month, and is no gain', () => {
  const startsMs = monthStarts({ firstMs: FIRST_MS, toMs: FIRST_MS + 1.5 * MONTH_MS })
  const moves = [
    { timeMs: FIRST_MS, amount: 100n },
    { timeMs: FIRST_MS + MONTH_MS, amount: 50n },
    { timeMs: FIRST_MS + MONTH_MS + 1, amount: -30n },
  ]
  const months = gainsOfMonths({ startsMs, worths: [0n, 110n], end: 127n, moves })
  expect(months.map((month) => [month.fromMs, shownGain(month).percent])).toEqual([
    [FIRST_MS, '10.00'],
    [FIRST_MS + MONTH_MS, '-1.88'],
  ])
})

const amount = fc.bigInt({ min: -1_000n, max: 1_000n })
const life = fc.integer({ min: 1, max: 12 * MONTH_MS })

test('the gains of all months add up to the worth without the money put in', () => {
  fc.assert(
    fc.property(
      life,
      fc.array(amount, { minLength: 12, maxLength: 12 }),
      fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), amount)),
      amount,
      (lifeMs, worths, given, end) => {
        const moves = given.map(([share, money]) => ({
          timeMs: FIRST_MS + Math.floor(share * lifeMs),
          amount: money,
        }))
        const startsMs = monthStarts({ firstMs: FIRST_MS, toMs: FIRST_MS + lifeMs })
        const months = gainsOfMonths({
          startsMs,
          worths: [0n, ...worths].slice(0, startsMs.length),
          end,
          moves,
        })
        const sum = (amounts: readonly bigint[]) => amounts.reduce((all, one) => all + one, 0n)
        expect(sum(months.map(({ gain }) => gain))).toBe(
          end - sum(moves.map((move) => move.amount)),
        )
      },
    ),
  )
})
