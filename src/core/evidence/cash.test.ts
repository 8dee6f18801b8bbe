import { expect, test } from 'vitest'
import { DAY_MS } from '#core/market/candle.ts'
import { decimalToUnits as units } from '#core/money/decimal.ts'
import { interestOf } from '#core/trading/cash-yield.ts'
import { cashEnd, compareWithCash, meanCashRate, type CashRates } from './cash.ts'

const RATES: CashRates = new Map([
  ['2024-01', 500],
  ['2024-02', 100],
])
const [JANUARY, FEBRUARY, MARCH] = [
  Date.UTC(2024, 0, 1),
  Date.UTC(2024, 1, 1),
  Date.UTC(2024, 2, 1),
]

test("cash earns the rate of each day's month, with compound interest", () => {
  let expected = units('10000')
  for (let day = 0; day < 31; day += 1) expected += interestOf(expected, 500)
  for (let day = 0; day < 29; day += 1) expected += interestOf(expected, 100)
  expect(
    cashEnd({ window: { fromMs: JANUARY, toMs: MARCH }, invested: units('10000'), rates: RATES }),
  ).toBe(expected)
  expect(expected).toBeGreaterThan(units('10050'))
})

test('a window is not compared with cash if the rate of one of its months is unknown', () => {
  expect(
    cashEnd({ window: { fromMs: FEBRUARY, toMs: MARCH + DAY_MS }, invested: 1_000n, rates: RATES }),
  ).toBeUndefined()
  expect(meanCashRate(RATES, { fromMs: JANUARY - DAY_MS, toMs: FEBRUARY })).toBeUndefined()
})

test('the mean rate is weighted by days', () => {
  expect(meanCashRate(RATES, { fromMs: JANUARY, toMs: MARCH })).toBeCloseTo(
    (31 * 0.05 + 29 * 0.01) / 60,
    12,
  )
})

test('a window beats cash only if it ends with more; unknown rates are left out', () => {
  const window = { fromMs: JANUARY, toMs: MARCH }
  const outcomes = [10n, 11n, 12n, 13n].map((end) => ({ window, end }))
  expect(compareWithCash(outcomes, [10n, 10n, 11n, undefined])).toEqual({ windows: 3, won: 2 })
  expect(
    compareWithCash(
      outcomes,
      outcomes.map(() => undefined),
    ),
  ).toBeUndefined()
})
