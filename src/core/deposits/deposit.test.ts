import { expect, test } from 'vitest'
import { decimalToUnits as units } from '#core/money/decimal.ts'
import { checkDeposit } from './deposit.ts'

const limits = { minimum: units('10'), maximum: units('10000') }

test.each(['10', '10000', '99.99'])('a deposit of %s is fine', (amount) => expect(() => checkDeposit(units(amount), limits)).not.toThrow())

test.each([
  ['9.99', 'deposit-below-minimum', 'Minimum deposit amount is $10'], ['0', 'deposit-below-minimum', 'Minimum deposit amount is $10'],
  ['10000.01', 'deposit-above-maximum', 'Maximum deposit amount is $10,000'],
])('a deposit of %s is refused as %s', (amount, code, sentence) => {
  expect(() => checkDeposit(units(amount), limits)).toThrow(expect.objectContaining({ code, sentence, field: 'amount' }))
})

test('the sentence names the limits that are configured', () => {
  const check = () => checkDeposit(units('2000000'), { minimum: units('5'), maximum: units('1234567') })
  expect(check).toThrow(expect.objectContaining({ sentence: 'Maximum deposit amount is $1,234,567' }))
})
