import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  ceilToCents,
  centsBetween,
  centsToUnits,
  DUST,
  floorToCents,
  paidText,
  unitsToCents,
  withoutDust,
} from './cents.ts'
import { decimalToUnits, unitsToDecimal } from './decimal.ts'

test.each([
  ['10.00', 1_000],
  ['99999.99', 9_999_999],
  ['0.01', 1],
  ['0', 0],
  ['-0.5', -50],
])('%s USD are %i cents', (text, cents) => {
  expect(unitsToCents(decimalToUnits(text))).toBe(cents)
  expect(centsToUnits(cents)).toBe(decimalToUnits(text))
})

test('fractions of a cent or of a provider’s unit are never rounded away', () => {
  expect(() => unitsToCents(decimalToUnits('10.001'))).toThrow('no fraction of a cent')
  for (const cents of [0.5, Number.NaN, Infinity, 2 ** 53])
    expect(() => centsToUnits(cents)).toThrow('whole cents')
  expect(() => unitsToCents(centsToUnits(Number.MAX_SAFE_INTEGER) * 10n)).toThrow('safe integer')
})

test.each([
  ['0.019', '0.01', '0.02'],
  ['-0.001', '-0.01', '0.00'],
  ['5.00', '5.00', '5.00'],
])('%s has the whole cents %s and %s', (text, floored, ceiled) => {
  expect([floorToCents, ceilToCents].map((round) => round(decimalToUnits(text)))).toEqual(
    [floored, ceiled].map(decimalToUnits),
  )
})

test('a sum that was paid rounds up once', () => {
  expect(paidText([])).toBe('0.00')
  expect(paidText(['0.004', '0.005'].map(decimalToUnits))).toBe('0.01')
  expect(paidText(['1.00', '0.01'].map(decimalToUnits))).toBe('1.01')
})

test('every number of cents survives the conversion to units and back', () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), (cents) => {
      expect(unitsToCents(centsToUnits(cents))).toBe(cents)
    }),
  )
})

test('changes follow the shown balances: of two half cents, the second shows the cent', () => {
  const [first, second] = [decimalToUnits('0.005'), decimalToUnits('0.01')]
  expect([
    centsBetween({ before: 0n, after: first }),
    centsBetween({ before: first, after: second }),
  ]).toEqual([0n, second])
  expect(centsBetween({ before: 0n, after: -first })).toBe(-second)
})

test('listed changes add up to the shown balance, and none is a whole cent off', () => {
  fc.assert(
    fc.property(fc.array(fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n })), (changes) => {
      let [balance, listed] = [0n, 0n]
      for (const change of changes) {
        const shown = centsBetween({ before: balance, after: balance + change })
        expect(shown - change > -1_000_000n && shown - change < 1_000_000n).toBe(true)
        balance += change
        listed += shown
      }
      expect(listed).toBe(decimalToUnits(unitsToDecimal(balance, 2)))
    }),
  )
})

test('an amount just below a whole cent, by no more than pools round away, is that cent', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n, max: 10n ** 15n }),
      fc.bigInt({ min: 0n, max: 10n ** 6n }),
      (cents, lost) => {
        const whole = cents * 1_000_000n
        const expected = lost <= DUST ? whole : whole - lost
        expect(withoutDust(whole - lost)).toBe(expected)
      },
    ),
  )
})
