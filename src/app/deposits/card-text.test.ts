import { expect, test } from 'vitest'
import { groupCardNumber, groupExpiry } from './card-text.ts'

test('digits are grouped while they are typed', () => {
  expect([groupCardNumber('42424'), groupCardNumber('4242-4242 42424242x'), groupExpiry('12'), groupExpiry('1228')]).toEqual([
    '4242 4',
    '4242 4242 4242 4242',
    '12',
    '12/28',
  ])
})
