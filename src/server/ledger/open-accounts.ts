import { CUSTOMER_ACCOUNTS, MAY_BE_NEGATIVE } from '#core/ledger/account.ts'
import type { Queries } from '#server/db/statement.ts'

/** Opens the accounts that every user has from sign-up, all in USD with a balance of zero. */
export async function openAccounts(tx: Queries, userId: string): Promise<void> {
  await tx`
    insert into ledger_accounts (user_id, code, asset, may_be_negative)
    select ${userId}, code, 'USD', may_be_negative
      from unnest(${[...CUSTOMER_ACCOUNTS]}::text[],
           ${CUSTOMER_ACCOUNTS.map((code) => String(MAY_BE_NEGATIVE.has(code)))}::text[]::boolean[])
        as account (code, may_be_negative)`
}
