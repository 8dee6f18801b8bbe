import { expect, test } from 'vitest'
import { groupCardNumber, groupExpiry, readCard } from './card-rules.ts'

test('digits are grouped while they are typed', () => {
  expect([groupCardNumber('42424'), groupCardNumber('4242-4242 42424242x'), groupExpiry('12'), groupExpiry('1228')]).toEqual([
    '4242 4',
    '4242 4242 4242 4242',
    '12',
    '12/28',
  ])
})

test('a complete card is read', () => {
  expect(readCard({ number: '4242 4242 4242 4242', expiry: '12/28', cvc: '123' })).toEqual({
    card: { number: '4242424242424242', expMonth: 12, expYear: 2028, cvc: '123' },
  })
})

test('each field at fault is named', () => {
  expect(readCard({ number: '4242', expiry: '13/28', cvc: '1' })).toEqual({
    errors: { number: 'Enter the 12 to 19 digits of the card', expiry: 'Enter the date as MM/YY', cvc: 'Enter the 3 or 4 digits' },
  })
})
