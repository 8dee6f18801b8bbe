import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decimalToUnits, parseDecimal, unitsToDecimal } from './decimal.ts'

const unitsArbitrary = fc.oneof(fc.bigInt(-1_000n, 1_000n), fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n))

test.each([
  ['0', 0n],
  ['1', 100_000_000n],
  ['-1', -100_000_000n],
  ['0.00000001', 1n],
  ['-0.5', -50_000_000n],
  ['10.5', 1_050_000_000n],
  ['007', 700_000_000n],
  ['-0', 0n],
  ['99999999999.99999999', 9_999_999_999_999_999_999n],
])('%s is %s units', (text, units) => expect(parseDecimal(text)).toBe(units))

test.each([
  '',
  ' ',
  '1 ',
  ' 1',
  '+1',
  '1e3',
  '0x1',
  '1.',
  '.1',
  '1.000000001',
  '1,000',
  '--1',
  'NaN',
  'Infinity',
  '٣',
  '1\n',
  '100000000000',
  '1.1.1',
  '−1',
])('%j is not a decimal; nothing is rounded to accept it', (text) => {
  expect(parseDecimal(text)).toBeUndefined()
  expect(() => decimalToUnits(text)).toThrow('not a decimal')
})

test.each([
  [1_050_000_000n, 2, '10.50'],
  [1n, 2, '0.00'],
  [-1n, 2, '-0.01'],
  [0n, 0, '0'],
  [-1n, 0, '-1'],
  [99_999_999n, 0, '0'],
  [123n, 8, '0.00000123'],
  [-100_000_001n, 2, '-1.01'],
  [-100_000_000n, 2, '-1.00'],
])('%s units with %s places are %s, floored', (units, places, text) => {
  expect(unitsToDecimal(units, places)).toBe(text)
})

test('writing and reading with all places gives the same units', () => {
  fc.assert(
    fc.property(unitsArbitrary, (units) => decimalToUnits(unitsToDecimal(units, 8)) === units),
  )
})

test('fewer places never show more than the amount, and less than one last digit below it', () => {
  fc.assert(
    fc.property(unitsArbitrary, fc.integer({ min: 0, max: 8 }), (units, places) => {
      const shown = decimalToUnits(unitsToDecimal(units, places))
      expect(shown <= units && units - shown < 10n ** BigInt(8 - places)).toBe(true)
    }),
  )
})

test.each([-1, 9, 1.5, Number.NaN])('%s places are a bug', (places) => {
  expect(() => unitsToDecimal(1n, places)).toThrow('places must be 0 to 8')
})

test('the message about text that is not a decimal shows its first 40 characters', () => {
  expect(() => decimalToUnits('9'.repeat(41))).toThrow(/^not a decimal: 9{40}$/)
})
