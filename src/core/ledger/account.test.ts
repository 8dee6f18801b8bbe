import { expect, test } from 'vitest'
import { CUSTOMER_ACCOUNTS, HOUSE, MAY_BE_NEGATIVE, type AccountRef } from './account.ts'

/** Every account, and whether it may be negative. */
const CHART: Record<AccountRef['code'], boolean> = {
  'customer:cash': false,
  'customer:hold': false,
  'customer:receivable': true,
  pool: false,
  venue: true,
  rounding: true,
  interest: true,
  bots: true,
  'card:clearing': true,
  'payout:clearing': false,
  bank: true,
  'fees:income': false,
}

test.each(Object.entries(CHART))('the account %s may go below 0: %s', (code, mayBeNegative) => {
  expect(MAY_BE_NEGATIVE.has(code as AccountRef['code'])).toBe(mayBeNegative)
})

test('a new user gets exactly the accounts named `customer:`', () => {
  expect(CUSTOMER_ACCOUNTS).toEqual(
    Object.keys(CHART).filter((code) => code.startsWith('customer:')),
  )
})

test('the house has the id that the checks of the database refuse for users', () => {
  expect(HOUSE).toBe('00000000-0000-0000-0000-000000000000')
})
