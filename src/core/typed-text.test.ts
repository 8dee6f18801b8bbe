import fc from 'fast-check'
import { expect, test } from 'vitest'
import { typedDigits, typedText } from './typed-text.ts'

const blank = fc.constantFrom(
  ' ',
  '\u00a0',
  '\u202f',
  '\t',
  '\n',
  '\u200b',
  '\u202a',
  '\u2069',
  '\ufeff',
)
const separator = fc.oneof(blank, fc.constantFrom('-', '\u2010', '\u2011', '\u2013', '\u2212'))

const wide = (digit: string) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0)

test('a number is parsed as it was meant, whatever separates its digits', () => {
  const digit = fc.record({
    digit: fc.constantFrom(...'0123456789'),
    isWide: fc.boolean(),
    before: fc.array(separator, { maxLength: 3 }),
  })
  fc.assert(
    fc.property(
      fc.array(digit, { minLength: 1, maxLength: 40 }),
      fc.array(separator, { maxLength: 3 }),
      (digits, after) => {
        const typed =
          digits
            .map((one) => one.before.join('') + (one.isWide ? wide(one.digit) : one.digit))
            .join('') + after.join('')
        expect(typedDigits(typed)).toBe(digits.map((one) => one.digit).join(''))
      },
    ),
  )
})

test('no visible character is removed', () => {
  const seen = fc.string({ unit: fc.constantFrom(...'0123456789abcXYZ.,$%/é٣漢') })
  fc.assert(
    fc.property(seen, fc.array(blank), (text, around) => {
      const blanks = around.join('')
      expect([typedText(blanks + text + blanks), typedDigits(blanks + text + blanks)]).toEqual([
        text,
        text,
      ])
    }),
  )
})

test('full-width characters are parsed as ASCII', () => {
  expect(typedText('＄１，５００．００')).toBe('$1,500.00')
})
