import { CUSTOMER_ACCOUNTS, MAY_BE_NEGATIVE } from '#core/ledger/account.ts'
import { rows } from '#server/db/rows.ts'
import type { Queries } from '#server/db/statement.ts'

/** Opens the accounts that every user has from sign-up, all in USD with a balance of zero. */
export async function openAccounts(tx: Queries, userId: string): Promise<void> {
  const accounts = CUSTOMER_ACCOUNTS.map((code) => ({
    code,
    mayBeNegative: MAY_BE_NEGATIVE.has(code),
  }))
  await tx`
    insert into ledger_accounts (user_id, code, asset, may_be_negative)
    select ${userId}, code, 'USD', may_be_negative
      from ${rows(accounts, { code: 'text', may_be_negative: 'boolean' })}`
}
