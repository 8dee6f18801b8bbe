import { required } from '#core/assert.ts'
import type { CashAndDebt } from '#core/deposits/settlement.ts'
import type { Units } from '#core/money/amount.ts'
import { part, type Queries } from '#server/db/statement.ts'
import { HOUSE } from '#core/ledger/account.ts'

/**
 * Locks the user's accounts in the ledger's order, so that money actions of one user wait for each
 * other.
 */
export async function lockCashAndDebt(tx: Queries, userId: string): Promise<CashAndDebt> {
  const rows = await tx<{ code: string; balance: Units }[]>`
    select code, balance from ledger_accounts where user_id = ${userId} order by id desc for no key
    update`
  const balanceOf = (code: string) =>
    required(
      rows.find((row) => row.code === code),
      'a user has accounts',
    ).balance
  return { cash: balanceOf('customer:cash'), owed: -balanceOf('customer:receivable') }
}

export async function lockCash(tx: Queries, userId: string): Promise<Units> {
  return (await lockCashAndDebt(tx, userId)).cash
}

/** The user's debt after refunds and disputes. */
export async function readOwed(sql: Queries, userId: string): Promise<Units> {
  const [row] = await sql<
    { owed: Units }[]
  >`select -balance as owed from ledger_accounts where user_id = ${userId}
    and code = 'customer:receivable'`
  return required(row, 'a user has accounts').owed
}

/** The users in debt, as a table for statements. */
export const debtors = part`
  (select user_id from ledger_accounts where code = 'customer:receivable' and balance < 0)`

/** Interest that the house paid on idle cash, and what it received for it. */
export async function readInterest(sql: Queries): Promise<{ paid: Units; received: Units }> {
  const [row] = await sql<{ paid: Units; received: Units }[]>`
    select coalesce(-sum(least(e.amount, 0)), 0)::bigint as paid,
           coalesce(sum(greatest(e.amount, 0)), 0)::bigint as received
      from ledger_accounts a
      join ledger_entries e on e.user_id = a.user_id and e.account_id = a.id
     where a.user_id = ${HOUSE} and a.code = 'interest'`
  return required(row, 'sums have a row')
}
