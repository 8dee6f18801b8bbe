import fc from 'fast-check'
import { expect, test } from 'vitest'
import { unitsToDecimal } from '#core/money/decimal.ts'
import { sumOf } from '#app/ui/money/amount-text.ts'
import { forecastOf, readPercent } from './take-out-forecast.ts'

test.each([['1', 1], ['25', 25], [' 75 % ', 75], ['99%', 99], ['05', 5]])('%j is a part of %d percent', (typed, percent) => {
  expect(readPercent(typed)).toBe(percent)
})

test.each(['', '0', '100', '12.5', '-5', '1e1', '٢٥', 'half'])('%j is no part', (typed) => {
  expect(readPercent(typed)).toBeUndefined()
})

test('a quarter of a bot that won brings a quarter of its worth, less the fee on a quarter of its profit', () => {
  const forecast = forecastOf({ equity: '1170.00', closingFee: '30.00', investmentAmount: '1000.00', feeBps: 1_500 }, 25)
  expect(forecast).toEqual({ out: '300.00', fee: '7.50', returned: '292.50', staysInvested: '750.00' })
})

test('a part of a bot that lost pays no fee', () => {
  const forecast = forecastOf({ equity: '900.00', closingFee: '0.00', investmentAmount: '1000.00', feeBps: 1_500 }, 50)
  expect(forecast).toEqual({ out: '450.00', fee: '0.00', returned: '450.00', staysInvested: '500.00' })
})

test('a part of a bot without a fee returns as a whole', () => {
  expect(forecastOf({ equity: '1200.00', closingFee: '0.00', investmentAmount: '1000.00', feeBps: 0 }, 25)).toMatchObject({ out: '300.00', fee: '0.00', returned: '300.00' })
})

test('the amount taken out is the fee plus the amount returned, to the cent', () => {
  const dollars = fc.bigInt({ min: 0n, max: 10n ** 11n }).map((cents) => unitsToDecimal(cents * 1_000_000n, 2))
  fc.assert(fc.property(dollars, dollars, dollars, fc.integer({ min: 1, max: 99 }), (equity, closingFee, investmentAmount, percent) => {
    const { out, fee, returned } = forecastOf({ equity, closingFee, investmentAmount, feeBps: 1_500 }, percent)
    expect(sumOf(fee, returned)).toBe(out)
  }))
})
