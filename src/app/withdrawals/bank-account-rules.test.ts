import { expect, test } from 'vitest'
import { checkBankAccountFields } from './bank-account-rules.ts'

test('a bank account with a true checksum passes', () => {
  expect(checkBankAccountFields({ bankName: 'First Bank', accountNumber: '123456789', routingNumber: '021000021' })).toEqual({})
})

test('each field at fault is named', () => {
  expect(checkBankAccountFields({ bankName: ' ', accountNumber: '123', routingNumber: '123456789' })).toEqual({
    bankName: 'Required',
    routingNumber: 'This is not a valid US routing number.',
    accountNumber: 'An account number has 4 to 17 digits.',
  })
})
