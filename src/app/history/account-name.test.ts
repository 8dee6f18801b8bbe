import { expect, test } from 'vitest'
import { accountName } from './account-name.ts'

test('a ledger account has a name for users', () => {
  expect(accountName('customer:cash')).toBe('Your cash')
})

test('an account without one keeps its ledger name', () => {
  expect(accountName('somewhere:else')).toBe('somewhere:else')
})
