import { assert } from '#core/assert.ts'
import type { Units } from '#core/money/amount.ts'
import { part, type Fragment, type Queries } from '#server/db/statement.ts'
import { worthOfBots } from './worth.ts'

export type Balances = {
  cash: Units
  hold: Units
  /**
   * Σ what closing each of the user's bots now would return, each in whole cents as it is listed:
   * its worth at the last price after the platform's fee.
   */
  invested: Units
}

/**
 * The user's balances from the ledger and the last prices, in one statement and so at one moment.
 */
export async function readBalances(sql: Queries, userId: string): Promise<Balances> {
  const [row] = await sql<Balances[]>`select ${balancesOf(part`${userId}::uuid`)} from users u
    where u.id = ${userId}`
  assert(row, 'a user has accounts')
  return row
}

/**
 * The same, as columns for statements about a user: where it is one, its id lets a distributed
 * database find everything on one node.
 */
export const balancesOf = (user: Fragment) => part`
           (select balance from ledger_accounts where user_id = ${user} and code = 'customer:cash')
           as cash,
           (select balance from ledger_accounts where user_id = ${user} and code = 'customer:hold')
           as hold,
           ${worthOfBots(user)} as invested`
