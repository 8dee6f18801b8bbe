import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Units } from './amount.ts'
import { decimalToUnits, unitsToDecimal } from './decimal.ts'
import { englishDigits, englishMoneyParts, englishMoneyText, signOf, TYPED_AMOUNT } from './text.ts'

test.each([
  ['0.00', '$0.00'],
  ['5', '$5.00'],
  ['10432.17', '$10,432.17'],
  ['-1.23', '\u2212$1.23'],
  ['99999999.99', '$99,999,999.99'],
  ['92233720368.54', '$92,233,720,368.54'],
])('%s dollars print as %s', (amount, printed) => {
  expect(englishMoneyText({ amount })).toBe(printed)
  expect(englishMoneyText({ amount: decimalToUnits(amount) })).toBe(printed)
})

test('a digit beyond what a float can hold is printed', () => {
  expect(englishDigits('9007199254740993.12', { minimum: 2, maximum: 2 })).toBe(
    '9,007,199,254,740,993.12',
  )
})

test('an amount is never rounded up', () => {
  expect(englishMoneyText({ amount: '0.99999999' })).toBe('$0.99')
})

test('if a sign is requested, a gain has a plus, and so has zero', () => {
  expect(englishMoneyText({ amount: '184.22', sign: 'always' })).toBe('+$184.22')
  expect(englishMoneyText({ amount: '0.00', sign: 'always' })).toBe('+$0.00')
  expect(englishMoneyText({ amount: '-184.22', sign: 'always' })).toBe('\u2212$184.22')
})

test('minus zero is printed without a sign', () => {
  expect(englishMoneyText({ amount: '-0.00' })).toBe('$0.00')
})

test('a limit is printed in whole dollars', () => {
  expect(englishMoneyText({ amount: '10000.00', precision: 'whole' })).toBe('$10,000')
  expect(englishMoneyText({ amount: 1_000_000_000n, precision: 'whole' })).toBe('$10')
  expect(englishMoneyText({ amount: '10.99', precision: 'whole' })).toBe('$10')
})

test('a small price keeps the digits that matter', () => {
  expect(englishMoneyText({ amount: '0.451234', precision: 'price' })).toBe('$0.451234')
  expect(englishMoneyText({ amount: '0.5', precision: 'price' })).toBe('$0.5000')
  expect(englishMoneyText({ amount: '00.5', precision: 'price' })).toBe('$0.5000')
  expect(englishMoneyText({ amount: '91204.11', precision: 'price' })).toBe('$91,204.11')
  expect(englishMoneyText({ amount: '91204.11999999', precision: 'price' })).toBe('$91,204.11')
  expect(englishMoneyText({ amount: '91204', precision: 'price' })).toBe('$91,204.00')
})

test('a coin is printed with its symbol and all its decimals', () => {
  expect(englishMoneyText({ amount: '0.00812345', asset: 'BTC' })).toBe('0.00812345 BTC')
  expect(englishMoneyText({ amount: '5.00000000', asset: 'BTC' })).toBe('5 BTC')
})

test('a coin in a wallet is printed with six decimals, never rounded up', () => {
  expect(englishMoneyText({ amount: '1.99999999', asset: 'ETH', precision: 'coin' })).toBe(
    '1.999999 ETH',
  )
  expect(englishMoneyText({ amount: '0.00000000', asset: 'POL', precision: 'coin' })).toBe(
    '0.000000 POL',
  )
  expect(
    englishMoneyText({ amount: `1${'0'.repeat(20)}.5`, asset: 'BNB', precision: 'coin' }),
  ).toBe('100,000,000,000,000,000,000.500000 BNB')
})

test('a fee finer than a cent is not hidden', () => {
  expect(englishMoneyText({ amount: '0.00260000', precision: 'exact' })).toBe('$0.0026')
  expect(englishMoneyText({ amount: '5', precision: 'exact' })).toBe('$5.00')
})

test('a cost of less than a cent keeps its digits, a larger one is printed in cents', () => {
  expect(englishMoneyText({ amount: '0.00260000', precision: 'fine' })).toBe('$0.0026')
  expect(englishMoneyText({ amount: '00.00260000', precision: 'fine' })).toBe('$0.0026')
  expect(englishMoneyText({ amount: '0.65096200', precision: 'fine' })).toBe('$0.65')
  expect(englishMoneyText({ amount: '10.00260000', precision: 'fine' })).toBe('$10.00')
})

test('text that is not a decimal keeps all its characters: 1e-7 never becomes 1e7', () => {
  expect(englishMoneyText({ amount: '1e-7' })).toBe('$1e-7')
})

test.each(['1', '12345678', '0.5', '12345678.99'])('%s can be typed as an amount', (text) =>
  expect(TYPED_AMOUNT.test(text)).toBe(true),
)

test.each(['', '123456789', '1.', '.5', '1.999', '-1', '1x', 'x', '1.x', '1,5', ' 1'])(
  '%j cannot be typed as an amount',
  (text) => {
    expect(TYPED_AMOUNT.test(text)).toBe(false)
  },
)

test('the cents are available as a separate part', () => {
  expect(englishMoneyParts({ amount: '10432.17' })).toEqual({
    sign: '',
    whole: '$10,432',
    cents: '.17',
    unit: '',
  })
})

test('the sign is decided on exact units', () => {
  expect([signOf('-0.00000001'), signOf('0.00'), signOf('-0.00'), signOf('0.00000001')]).toEqual([
    -1, 0, 0, 1,
  ])
})

test.each([
  ['007', '7'],
  ['0.10', '0.1'],
  ['-1234.5', '-1,234.5'],
  ['1e9', '1e9'],
  ['', ''],
])('the digits of %j are grouped as %j', (decimal, grouped) => {
  expect(englishDigits(decimal, { minimum: 0, maximum: 8 })).toBe(grouped)
})

const units = fc.oneof(fc.bigInt(-1_000n, 1_000n), fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n))
/** The printed text as units again. */
const read = (printed: string): Units =>
  decimalToUnits(printed.replace('\u2212', '-').replaceAll(/[$,]/g, ''))

test('an amount printed with all its digits reads back as the same amount', () => {
  fc.assert(
    fc.property(units, (amount) => {
      expect(read(englishMoneyText({ amount, precision: 'exact' }))).toBe(amount)
    }),
  )
})

test('amounts in cents are truncated towards zero, also as text in groups of three digits', () => {
  fc.assert(
    fc.property(units, (amount) => {
      const printed = englishMoneyText({ amount })
      expect(printed).toBe(englishMoneyText({ amount: unitsToDecimal(amount, 8) }))
      expect(printed).toMatch(/^\u2212?\$\d{1,3}(,\d{3})*\.\d{2}$/)
      expect(read(printed)).toBe(amount - (amount % 1_000_000n))
    }),
  )
})

test('digits are grouped as the browser groups them', () => {
  const places = fc.integer({ min: 0, max: 8 })
  fc.assert(
    fc.property(units, places, places, (amount, one, other) => {
      const [minimum, maximum] = [Math.min(one, other), Math.max(one, other)]
      const format = new Intl.NumberFormat('en-US', {
        minimumFractionDigits: minimum,
        maximumFractionDigits: maximum,
        roundingMode: 'trunc',
      })
      const text = unitsToDecimal(amount, 8) as `${number}`
      expect(englishDigits(text, { minimum, maximum })).toBe(format.format(text))
    }),
  )
})
