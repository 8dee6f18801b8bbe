import type { BankAccount } from '#contract/withdrawals.ts'
import type { Handler } from '#server/action.ts'
import { findBankAccounts, type StoredBankAccount } from './bank-account-store.ts'

export const listBankAccounts: Handler<'listBankAccounts'> = async ({ sql }, { userId }) =>
  (await findBankAccounts(sql, userId)).map(showBankAccount)

export function showBankAccount({
  accountNumberLast4,
  createdAt,
  notAllowedUntil,
  ...account
}: StoredBankAccount): BankAccount {
  return {
    ...account,
    accountNumber: accountNumberLast4,
    notAllowedUntil: notAllowedUntil?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
  }
}
