import { expect, test } from 'vitest'
import { accountName } from './account-name.ts'

test('a ledger account is named for people', () => {
  expect(accountName('customer:cash')).toBe('Your cash')
})

test('an account that has no such name keeps its own', () => {
  expect(accountName('somewhere:else')).toBe('somewhere:else')
})
