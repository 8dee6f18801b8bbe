import type { Balances } from '#contract/wire.ts'
import type { Units } from '#core/money/amount.ts'
import { unitsToDecimal } from '#core/money/decimal.ts'
import type { Balances as StoredBalances } from './balances.ts'

/** Balances for the screens, each floored to cents by itself. */
export function showBalances({ cash, hold, invested }: StoredBalances): Balances {
  return {
    totalBalance: cents(cash + hold + invested),
    availableBalance: cents(cash),
    heldBalance: cents(hold),
    investedBalance: cents(invested),
  }
}

const cents = (amount: Units): string => unitsToDecimal(amount, 2)
