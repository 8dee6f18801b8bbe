import { unitsToDecimal } from '#core/money/decimal.ts'
import { withdrawableOf } from '#core/withdrawals/withdrawal.ts'
import type { Handler } from '#server/action.ts'
import { heldDeposits } from '#server/deposits/held-deposits.ts'
import { readBalances } from '#server/holdings/balances.ts'
import { readOwed } from '#server/ledger/read.ts'

/** The withdrawable amount, each hold with its end, and the debt. */
export const getWithdrawalTerms: Handler<'getWithdrawalTerms'> = async (context, { userId }) => {
  const { sql } = context
  const [{ cash }, owed, holds] = await Promise.all([readBalances(sql, userId), readOwed(sql, userId), heldDeposits(context, sql, userId)])
  return {
    withdrawable: owed > 0n ? '0.00' : unitsToDecimal(withdrawableOf({ available: cash, holds }), 2),
    owed: unitsToDecimal(-owed, 2).replace('-', ''),
    holds: holds.map(({ amount, until }) => ({ amount: unitsToDecimal(amount, 2), until: until.toISOString() })),
  }
}
