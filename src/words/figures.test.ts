import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  digitsText,
  groupDigits,
  moneyParts,
  moneyText,
  withDollar,
  withPercent,
} from './figures.ts'
import { setLanguageSource, type Language } from './language.ts'
import { amountInWords } from './sentence-text.ts'
import { plainDecimal, typedDecimal } from './typed-figures.ts'

const read = (language: Language) => setLanguageSource(() => language)

beforeEach(() => read('de'))
afterEach(() => read('en'))

test('amounts in German have a comma, points between thousands, and the dollar sign behind', () => {
  const texts = [
    moneyText({ amount: '1234.5' }),
    moneyText({ amount: '-0.99' }),
    moneyText({ amount: '1234567.89', precision: 'whole', sign: 'always' }),
    moneyText({ amount: '0.5123', precision: 'price' }),
    moneyText({ amount: '1234.56789', asset: 'BTC' }),
    withDollar('•••'),
  ]
  expect(texts).toEqual([
    '1.234,50\u00A0$',
    '\u22120,99\u00A0$',
    '+1.234.567\u00A0$',
    '0,5123\u00A0$',
    '1.234,56789 BTC',
    '•••\u00A0$',
  ])
  expect(moneyParts({ amount: '1234.5' })).toEqual({
    sign: '',
    whole: '1.234',
    cents: ',50',
    unit: '\u00A0$',
  })
})

test('percents and plain figures have the German decimal mark', () => {
  expect([
    withPercent(digitsText('12.5')),
    groupDigits('3653', { minimum: 0, maximum: 0 }),
    typedDecimal('0.00'),
  ]).toEqual(['12,5\u00A0%', '3.653', '0,00'])
})

test('amounts that core printed are reformatted; other texts are not', () => {
  expect(['$1,234.50', '\u2212$5', 'BTC/USDT', '10'].map(amountInWords)).toEqual([
    '1.234,50\u00A0$',
    '\u22125\u00A0$',
    'BTC/USDT',
    '10',
  ])
  read('en')
  expect(amountInWords('$1,234.50')).toBe('$1,234.50')
})

test.each([
  ['1.234,50', '1234.50'],
  ['1234,5', '1234.5'],
  ['12,5', '12.5'],
  ['1.234', '1234'],
  ['99.999.999,99', '99999999.99'],
  [' 1.234,50\u00A0$ ', '1234.50'],
  ['12.50', '12.50'],
  ['25', '25'],
])('typed in German, %j means %s', (typed, plain) => {
  expect(plainDecimal(typed)).toBe(plain)
})

test.each(['1,000.5', '1.00,5', '1,2,3', '1.2345', ',5', '5,', '0.500', '0.125', '1$50', '5$000'])(
  'typed in German, %j is not a decimal of two places',
  (typed) => {
    expect(plainDecimal(typed)).not.toMatch(/^\d+(\.\d{1,2})?$/)
  },
)

test.each(['0,500', '1$50', '5$000', '1.234,50'])(
  'typed in English, %j is not a decimal of two places',
  (typed) => {
    read('en')
    expect(plainDecimal(typed)).not.toMatch(/^\d+(\.\d{1,2})?$/)
  },
)

/** A draft keeps its text when the reader chooses another language. */
test.each(['1.234,50', '1,234.50', '1.234', '1,234', '12,5', '12.5', '1234'])(
  '%j never means one amount in English and another in German',
  (typed) => {
    const amounts = (['en', 'de'] as const).map((language) => {
      read(language)
      return plainDecimal(typed)
    })
    const readable = amounts.filter((plain) => /^\d+(\.\d{1,2})?$/.test(plain))
    expect(readable.length).toBeGreaterThan(0)
    expect(new Set(readable).size).toBe(1)
  },
)
