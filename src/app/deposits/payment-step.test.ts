import { expect, test } from 'vitest'
import { groupCardNumber, groupExpiry } from './payment-step.tsx'

test.each([
  ['42424', '4242 4'],
  ['4242-4242 42424242', '4242 4242 4242 4242'],
  ['  ４２４２4242', '4242 4242'],
  ['4242 4242 4242 4242 4242', '4242 4242 4242 4242 4242'],
  ['4242x', '4242 x'],
])('the card number %j becomes %j while it is typed', (typed, shown) =>
  expect(groupCardNumber(typed)).toBe(shown),
)

test.each([
  ['12', '12'],
  ['123', '12/3'],
  ['1228', '12/28'],
  ['12 / 28', '12/28'],
  ['12-28', '12/28'],
  ['12/2034', '12/2034'],
  ['122034', '12/2034'],
  ['12/20345', '12/20345'],
])('the expiry %j becomes %j while it is typed', (typed, shown) =>
  expect(groupExpiry(typed)).toBe(shown),
)
