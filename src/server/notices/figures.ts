import { accountTotals, type AccountTotals } from '#core/notices/account-figures.ts'
import type { Units } from '#core/money/amount.ts'
import { part } from '#server/db/statement.ts'
import { balancesOf, type Balances } from '#server/holdings/balances.ts'
import { shownTotal } from '#server/holdings/show-balances.ts'

export type LedgerRow = Balances & { owed: Units; deposited: Units; withdrawn: Units; fees: Units }

/**
 * Columns for statements in which `u` is a user: balances of the ledger's accounts, and bots at the
 * last price.
 */
export const ledgerColumns = part`
  ${balancesOf(part`u.id`)},
  coalesce((select -balance from ledger_accounts where user_id = u.id
  and code = 'customer:receivable'), 0)::bigint as owed,
  coalesce((select -balance from ledger_accounts where user_id = u.id and code = 'card:clearing'),
  0)::bigint as deposited,
  coalesce((select sum(balance) from ledger_accounts where user_id = u.id
  and code in ('payout:clearing', 'bank')), 0)::bigint as withdrawn,
  coalesce((select balance from ledger_accounts where user_id = u.id and code = 'fees:income'),
  0)::bigint as fees`

/** The balance as it is shown, and all that went in and out. */
export function figuresOf(row: LedgerRow): { total: Units; totals: AccountTotals } {
  const total = shownTotal(row)
  return { total, totals: accountTotals({ ...row, total }) }
}
