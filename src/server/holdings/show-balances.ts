import type { Balances } from '#contract/wire.ts'
import type { Units } from '#core/money/amount.ts'
import { floorToCents } from '#core/money/cents.ts'
import { unitsToDecimal } from '#core/money/decimal.ts'
import type { Balances as StoredBalances } from './balances.ts'

/**
 * Balances for the screens: each part in whole cents, and the total as their sum, so that what is
 * listed adds up to it.
 */
export function showBalances(balances: StoredBalances): Balances {
  return {
    totalBalance: unitsToDecimal(shownTotal(balances), 2),
    availableBalance: unitsToDecimal(balances.cash, 2),
    heldBalance: unitsToDecimal(balances.hold, 2),
    investedBalance: unitsToDecimal(balances.invested, 2),
  }
}

/** `invested` is in whole cents already. */
export function shownTotal({ cash, hold, invested }: StoredBalances): Units {
  return floorToCents(cash) + floorToCents(hold) + invested
}
