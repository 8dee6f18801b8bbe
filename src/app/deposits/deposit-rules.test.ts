import { expect, test } from 'vitest'
import { checkDepositAmount } from './deposit-rules.ts'

const limits = { minimum: '10.00', maximum: '10000.00' }

test.each(['10', '10.00', '100', '10,000'])('%s dollars can be deposited', (typed) => {
  expect(checkDepositAmount(typed, limits)).toBeUndefined()
})

test.each([
  ['', 'Please enter a valid amount (minimum $10).'],
  ['ten', 'Please enter a valid amount (minimum $10).'],
  ['9.99', 'Minimum deposit amount is $10'],
  ['10000.01', 'Maximum deposit amount is $10,000'],
])('%j is refused: %s', (typed, description) => {
  expect(checkDepositAmount(typed, limits)).toEqual({ title: 'Invalid Amount', description })
})
