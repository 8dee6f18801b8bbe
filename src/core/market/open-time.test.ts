import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openTimeOf } from './open-time.ts'

const AT = Date.UTC(2020, 11, 29, 21)

test.each([
  '1609275600',
  '1609275600.0',
  '1609275600000',
  '1609275600000000',
  '1609275600000000000',
  '2020-12-29T21:00:00Z',
  '2020-12-29T21:00:00.0000000Z',
  '2020-12-29 21:00:00',
  '2020-12-29 21:00:00 UTC',
  '2020-12-29 21:00:00+00:00',
  '2020-12-29T22:00:00+01:00',
  '2020-12-29T16:00:00-0500',
  '2020-12-29 21:00',
  '2020-12-29 21',
  '2020-12-29 09-PM',
  '2020/12/29 21:00',
])('%s is nine in the evening of 29 December 2020', (text) => {
  expect(openTimeOf(text)).toBe(AT)
})

test.each([
  ['2020-12-29', AT - 21 * 3_600_000],
  ['2020-12-29 12-AM', AT - 21 * 3_600_000],
  ['2020-12-29 12-PM', AT - 9 * 3_600_000],
  ['2020-12-29T21:00:00.123Z', AT + 123],
  ['915148800', Date.UTC(1999, 0, 1)],
])('%s is %d', (text, time) => {
  expect(openTimeOf(text)).toBe(time)
})

test.each([
  '',
  '0',
  '20201229',
  '20201229T',
  '210000',
  '16092756000',
  '-1609275600',
  '1.6e9',
  'NaN',
  '12/29/2020',
  '29.12.2020',
  'Dec 29, 2020',
  '2020-13-01',
  '2020-02-30',
  '2020-12-29 25:00',
  '2020-12-29 21:00 CET',
  '2020-12-29 21:00 +1',
])('"%s" is no time', (text) => {
  expect(openTimeOf(text)).toBeUndefined()
})

test('a written time reads back unchanged', () => {
  fc.assert(
    fc.property(fc.date({ min: new Date(AT - 1e11), noInvalidDate: true }), (date) => {
      fc.pre(date.getUTCFullYear() < 2200)
      expect(openTimeOf(date.toISOString())).toBe(date.getTime())
      expect(openTimeOf(String(date.getTime()))).toBe(date.getTime())
      expect(openTimeOf(`${date.getTime()}000`)).toBe(date.getTime())
    }),
  )
})
