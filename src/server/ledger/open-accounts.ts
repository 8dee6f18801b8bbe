import type { CustomerAccount } from '#core/ledger/account.ts'
import type { Queries } from '#server/db/open.ts'

type NewAccounts = { owner: string; accounts: readonly { code: CustomerAccount; mayBeNegative: boolean }[] }

/** Opens a user's accounts, all in USD, at zero. */
export async function openAccounts(tx: Queries, { owner, accounts }: NewAccounts): Promise<void> {
  await tx`
    insert into ledger_accounts (code, owner, asset, may_be_negative)
    select code, ${owner}, 'USD', may_be_negative
      from unnest(${accounts.map(({ code }) => code)}::text[], ${accounts.map(({ mayBeNegative }) => String(mayBeNegative))}::text[]::boolean[])
        as account (code, may_be_negative)`
}
