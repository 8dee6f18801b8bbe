import { assert, present } from '#core/assert.ts'
import type { Purse } from '#core/deposits/settlement.ts'
import type { Units } from '#core/money/amount.ts'
import { worthOfBots } from '#server/bots/worth.ts'
import type { Fragment, Queries } from '#server/db/open.ts'

export type Balances = {
  cash: Units
  hold: Units
  /** Σ what closing each of the user's bots now would return: its worth at the last price after the platform's fee. */
  invested: Units
}

/** The user's balances as the ledger and the last prices say, in one statement and so at one moment. */
export async function readBalances(sql: Queries, userId: string): Promise<Balances> {
  const [row] = await sql<Balances[]>`select ${balancesOf(sql)} from users u where u.id = ${userId}`
  assert(row, 'a user has accounts')
  return row
}

/** The same as columns of another statement, in which `u` is the user. */
export function balancesOf(sql: Queries): Fragment {
  return sql`
           (select balance from ledger_accounts where user_id = u.id and code = 'customer:cash') as cash,
           (select balance from ledger_accounts where user_id = u.id and code = 'customer:hold') as hold,
           ${worthOfBots(sql)} as invested`
}

/**
 * Locks the user's accounts for the rest of the transaction, in the ledger's own order, and returns the cash and what is owed:
 * money actions of one user queue here.
 */
export async function lockPurse(tx: Queries, userId: string): Promise<Purse> {
  const rows = await tx<{ code: string; balance: Units }[]>`
    select code, balance from ledger_accounts where user_id = ${userId} order by id desc for no key update`
  const balanceOf = (code: string) => present(rows.find((row) => row.code === code), 'a user has accounts').balance
  return { cash: balanceOf('customer:cash'), owed: -balanceOf('customer:receivable') }
}

/** As `lockPurse`, for those whom only the cash concerns. */
export async function lockCash(tx: Queries, userId: string): Promise<Units> {
  return (await lockPurse(tx, userId)).cash
}

/** What the user owes after refunds and disputes; 0 for most. */
export async function readOwed(sql: Queries, userId: string): Promise<Units> {
  const [row] = await sql<{ owed: Units }[]>`select -balance as owed from ledger_accounts where user_id = ${userId} and code = 'customer:receivable'`
  return present(row, 'a user has accounts').owed
}
