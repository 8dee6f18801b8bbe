import { expect, test } from 'vitest'
import { parseDecimal, decimalToUnits as units } from '#core/money/decimal.ts'
import { checkDeposit } from './deposit.ts'

const limits = { minimum: units('10'), maximum: units('10000') }

test.each(['10', '10.00', '10000', '99.99', '100'])('a deposit of %s is accepted', (amount) =>
  expect(() => checkDeposit(units(amount), limits)).not.toThrow(),
)

test.each([
  ['9.99', 'deposit-below-minimum', { minimum: '$10' }],
  ['0', 'deposit-below-minimum', { minimum: '$10' }],
  ['10000.01', 'deposit-above-maximum', { maximum: '$10,000' }],
  ['', 'deposit-amount-invalid', { minimum: '$10' }],
  ['ten', 'deposit-amount-invalid', { minimum: '$10' }],
])('a deposit of %j is refused as %s', (amount, code, values) => {
  expect(() => checkDeposit(parseDecimal(amount), limits)).toThrow(
    expect.objectContaining({ code, values, field: 'amount' }),
  )
})

test('the refusal states the configured limits', () => {
  const configured = { minimum: units('5'), maximum: units('1234567') }
  expect(() => checkDeposit(units('2000000'), configured)).toThrow(
    expect.objectContaining({ values: { maximum: '$1,234,567' } }),
  )
  expect(() => checkDeposit(undefined, configured)).toThrow(
    expect.objectContaining({ values: { minimum: '$5' } }),
  )
})
