import { expect, test } from 'vitest'
import { checkBankAccount, checkBankName, isRoutingNumber } from './bank-account.ts'

/**
 * Published by the banks themselves: JPMorgan Chase, Bank of America, Wells Fargo, the Federal
 * Reserve Bank of Boston, TD Bank.
 */
test.each(['021000021', '026009593', '121000248', '011000015', '031201360'])(
  '%s is a valid routing number',
  (text) => expect(isRoutingNumber(text)).toBe(true),
)

test.each([
  '000000000',
  '021000022',
  '012000021',
  '21000021',
  '0210000210',
  '',
  '02100002a',
  '０２１０００００２１',
  ' 021000021',
  '-21000021',
  '123456789',
])('%j is not a valid routing number', (text) => expect(isRoutingNumber(text)).toBe(false))

test('every change of one digit and most swaps of neighbours are detected', () => {
  const digits = [...'121000248']
  for (const [index, digit] of digits.entries()) {
    for (let other = 0; other < 10; other += 1) {
      if (String(other) !== digit)
        expect(isRoutingNumber(digits.with(index, String(other)).join(''))).toBe(false)
    }
  }
  expect(isRoutingNumber('211000248')).toBe(false)
})

test.each(['1234', '00001234', '12345678901234567'])(
  'account number %s is accepted',
  (accountNumber) => {
    expect(() => checkBankAccount({ accountNumber, routingNumber: '021000021' })).not.toThrow()
  },
)

test.each([
  ['123', 'account-number-invalid'],
  ['123456789012345678', 'account-number-invalid'],
  ['12 34', 'account-number-invalid'],
  ['١٢٣٤', 'account-number-invalid'],
  ['0000', 'account-number-invalid'],
  ['0'.repeat(17), 'account-number-invalid'],
  ['12a4', 'account-number-invalid'],
])('account number %j is refused', (accountNumber, code) => {
  expect(() => checkBankAccount({ accountNumber, routingNumber: '021000021' })).toThrow(
    expect.objectContaining({ code, field: 'accountNumber' }),
  )
})

test.each([
  ['', 'required'],
  [' ', 'required'],
  ['b'.repeat(101), 'text-too-long'],
  ['First\u200bBank', 'invalid-input'],
])('the bank name %j is refused', (bankName, code) => {
  expect(() => checkBankName(bankName)).toThrow(
    expect.objectContaining({ code, field: 'bankName' }),
  )
})

test.each(['First Bank', ` ${'b'.repeat(100)} `])('the bank name %j is accepted', (bankName) =>
  expect(() => checkBankName(bankName)).not.toThrow(),
)

test('a wrong routing number is reported as such', () => {
  expect(() => checkBankAccount({ accountNumber: '1234', routingNumber: '021000022' })).toThrow(
    expect.objectContaining({ code: 'routing-number-invalid', field: 'routingNumber' }),
  )
})
