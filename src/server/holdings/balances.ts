import { assert } from '#core/assert.ts'
import type { Units } from '#core/money/amount.ts'
import { part, type Fragment, type Queries } from '#server/db/statement.ts'
import { worthOfBots } from './worth.ts'
import type { Balances as ShownBalances } from '#contract/wire.ts'
import { floorToCents } from '#core/money/cents.ts'
import { unitsToDecimal } from '#core/money/decimal.ts'

export type Balances = {
  cash: Units
  hold: Units
  /** Σ of the amounts that closing each bot would return, in whole cents as each is listed. */
  invested: Units
}

/** Reads balances from the ledger and the last prices in one statement, and so at one moment. */
export async function readBalances(sql: Queries, userId: string): Promise<Balances> {
  const [row] = await sql<Balances[]>`select ${balancesOf(part`${userId}::uuid`)} from users u
    where u.id = ${userId}`
  assert(row, 'a user has accounts')
  return row
}

/**
 * Balances as columns for other statements. By the user's id, a distributed database finds all rows
 * on one node.
 */
export const balancesOf = (user: Fragment) => part`
           (select balance from ledger_accounts where user_id = ${user} and code = 'customer:cash')
           as cash,
           (select balance from ledger_accounts where user_id = ${user} and code = 'customer:hold')
           as hold,
           ${worthOfBots(user)} as invested`

/** Shows each part in whole cents, and the total as their sum. */
export function showBalances(balances: Balances): ShownBalances {
  return {
    totalBalance: unitsToDecimal(shownTotal(balances), 2),
    availableBalance: unitsToDecimal(balances.cash, 2),
    heldBalance: unitsToDecimal(balances.hold, 2),
    investedBalance: unitsToDecimal(balances.invested, 2),
  }
}

/** `invested` is in whole cents already. */
export function shownTotal({ cash, hold, invested }: Balances): Units {
  return floorToCents(cash) + floorToCents(hold) + invested
}
