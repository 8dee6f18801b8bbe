import { expect, test } from 'vitest'
import { checkWithdrawalAmount, isPositiveAmount } from './withdrawal-rules.ts'

test('all that is available can be withdrawn', () => {
  expect(checkWithdrawalAmount('100.00', '100.00')).toBeUndefined()
})

test.each([
  ['', '100.00', 'Invalid Amount', 'Please enter a valid withdrawal amount'],
  ['0', '100.00', 'Invalid Amount', 'Please enter a valid withdrawal amount'],
  ['1e2', '100.00', 'Invalid Amount', 'Please enter a valid withdrawal amount'],
  ['100.01', '100.00', 'Insufficient Balance', 'Withdrawal amount exceeds available balance'],
  ['9', '5.00', 'Insufficient Balance', 'Withdrawal amount exceeds available balance'],
  ['9.99', '100.00', 'Minimum Withdrawal', 'Minimum withdrawal amount is $10'],
])('%j of %s is refused: %s', (typed, available, title, description) => {
  expect(checkWithdrawalAmount(typed, available)).toEqual({ title, description })
})

test('nothing can be submitted without a positive amount', () => {
  expect(['', '0', '0.00', 'x', '0.01'].map(isPositiveAmount)).toEqual([false, false, false, false, true])
})
