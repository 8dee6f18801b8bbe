import fc from 'fast-check'
import { expect, test } from 'vitest'
import { unitsToDecimal } from '#core/money/decimal.ts'
import { sumOf } from '#app/ui/money/amount-text.ts'
import { forecastOf, readPercent } from './take-out-forecast.ts'

test.each([
  ['1', 1],
  ['25', 25],
  [' 75 % ', 75],
  ['99%', 99],
  ['05', 5],
])('%j is a share of %d percent', (typed, percent) => {
  expect(readPercent(typed)).toBe(percent)
})

test.each(['', '0', '100', '12.5', '-5', '1e1', '٢٥', 'half'])('%j is not a share', (typed) => {
  expect(readPercent(typed)).toBeUndefined()
})

test('a quarter of a profitable bot returns a quarter of its worth, minus the fee on it', () => {
  const forecast = forecastOf(
    {
      equity: '1170.00',
      closingFee: '30.00',
      coins: '600.00',
      investmentAmount: '1000.00',
      feeBps: 1_500,
    },
    { percent: 25, costBps: 100 },
  )
  expect(forecast).toEqual({
    out: '300.00',
    cost: '1.50',
    fee: '7.28',
    returned: '291.22',
    staysInvested: '750.00',
  })
})

test('a share of a losing bot pays no fee', () => {
  const forecast = forecastOf(
    {
      equity: '900.00',
      closingFee: '0.00',
      coins: '0.00',
      investmentAmount: '1000.00',
      feeBps: 1_500,
    },
    { percent: 50, costBps: 47 },
  )
  expect(forecast).toEqual({
    out: '450.00',
    cost: '0.00',
    fee: '0.00',
    returned: '450.00',
    staysInvested: '500.00',
  })
})

test('without a fee, a share of a bot is returned in full', () => {
  expect(
    forecastOf(
      {
        equity: '1200.00',
        closingFee: '0.00',
        coins: '0.00',
        investmentAmount: '1000.00',
        feeBps: 0,
      },
      { percent: 25, costBps: 47 },
    ),
  ).toMatchObject({ out: '300.00', fee: '0.00', returned: '300.00' })
})

test('the amount taken out is the sum of cost, fee and amount returned, to the cent', () => {
  const dollars = fc
    .bigInt({ min: 0n, max: 10n ** 11n })
    .map((cents) => unitsToDecimal(cents * 1_000_000n, 2))
  fc.assert(
    fc.property(
      dollars,
      dollars,
      fc.integer({ min: 1, max: 99 }),
      fc.integer({ min: 0, max: 300 }),
      (equity, investmentAmount, percent, costBps) => {
        const { out, cost, fee, returned } = forecastOf(
          { equity, closingFee: '0.00', coins: equity, investmentAmount, feeBps: 1_500 },
          { percent, costBps },
        )
        if (returned !== '0.00') expect(sumOf(cost, fee, returned)).toBe(out)
      },
    ),
  )
})
