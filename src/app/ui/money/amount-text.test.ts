import { afterEach, expect, test } from 'vitest'
import { setLanguageSource, type Language } from '#words/language.ts'
import { compareAmounts, differenceOf, sumOf } from './amount-text.ts'
import {
  isTypedNothing,
  isTypedPositive,
  keptAmount,
  readAmount,
  shareOf,
  typedAmount,
} from './typed-amount.ts'

afterEach(() => setLanguageSource(() => 'en'))

test.each([
  ['25', '25'],
  [' 25.50 ', '25.50'],
  ['$100', '100'],
  ['1,000.5', '1000.5'],
  ['99,999,999.99', '99999999.99'],
])('%j is read as %s', (typed, amount) => {
  expect(readAmount(typed)).toBe(amount)
})

test.each(['', 'ten', '1e9', '10.001', '-5', '1,00', '٠١٠', '123456789', '.5', '5.'])(
  '%j is not an amount',
  (typed) => {
    expect(readAmount(typed)).toBeUndefined()
  },
)

test('amounts compare by value, not by spelling', () => {
  expect([
    compareAmounts('10', '10.00'),
    compareAmounts('9.99', '10'),
    compareAmounts('100', '99.99'),
  ]).toEqual([0, -1, 1])
})

test('nothing can be submitted without a positive amount', () => {
  expect(['', '0', '0.00', 'x', '0.01'].map(isTypedPositive)).toEqual([
    false,
    false,
    false,
    false,
    true,
  ])
})

test.each([
  [25, '2.50'],
  [50, '5.00'],
  [75, '7.50'],
  [100, '10.01'],
] as const)('%i percent of $10.01 is $%s, floored', (percent, share) => {
  expect(shareOf('10.01', percent)).toBe(share)
})

test('a share of zero or of a negative amount is zero', () => {
  expect([shareOf('0.00', 50), shareOf('-3.00', 50)]).toEqual(['0.00', '0.00'])
})

test('sums and differences are exact', () => {
  expect([sumOf('0.10', '0.20'), differenceOf('10.00', '10.01')]).toEqual(['0.30', '-0.01'])
})

test('in German, amounts are read and suggested with a comma', () => {
  setLanguageSource(() => 'de')
  expect(['1.234,50', '1234,5', '12,5', '10,001', '1,234.50'].map(readAmount)).toEqual([
    '1234.50',
    '1234.5',
    '12.5',
    undefined,
    undefined,
  ])
  expect([shareOf('4938.01', 25), readAmount(shareOf('4938.01', 25))]).toEqual([
    '1234,50',
    '1234.50',
  ])
  expect(['0,00', '0,01'].map((typed) => [isTypedNothing(typed), isTypedPositive(typed)])).toEqual([
    [true, false],
    [false, true],
  ])
})

function afterSwitch(typed: string, from: Language): string {
  setLanguageSource(() => from)
  const kept = keptAmount(typed)
  setLanguageSource(() => (from === 'de' ? 'en' : 'de'))
  return typedAmount(kept)
}

test.each([
  ['de', '250,50', '250.50'],
  ['de', '1.234,50', '1234.50'],
  ['de', '1.234', '1234'],
  ['de', '12.50', '12.50'],
  ['en', '250.50', '250,50'],
  ['en', '1,234.50', '1234,50'],
  ['en', '1,234', '1234'],
  ['en', '25', '25'],
] as const)(
  'an amount typed in %s as %s and stored is %s after a change of the language',
  (from, typed, shown) => {
    expect(afterSwitch(typed, from)).toBe(shown)
  },
)

test.each([
  ['de', '1,234'],
  ['en', '1.234'],
  ['en', '12,5'],
  ['de', 'ten'],
  ['de', ''],
] as const)(
  'a text that is no amount in %s, %j, is not one after a change of the language either',
  (from, typed) => {
    expect(afterSwitch(typed, from)).toBe('')
  },
)

test.each(['1.234,', 'de 5', '', '250,50'])(
  'without a change of the language, %j stays as it was typed',
  (typed) => {
    expect(typedAmount(keptAmount(typed))).toBe(typed)
  },
)

test('a draft of an earlier version is shown as it was typed', () => {
  expect(['', '250.50', 'en'].map(typedAmount)).toEqual(['', '250.50', 'en'])
})
