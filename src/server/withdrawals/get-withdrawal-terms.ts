import { unitsToDecimal } from '#core/money/decimal.ts'
import { leftOf } from '#core/withdrawals/protections.ts'
import { withdrawableOf } from '#core/withdrawals/withdrawal.ts'
import type { Handler } from '#server/action.ts'
import { heldDeposits } from '#server/deposits/held-deposits.ts'
import { readBalances } from '#server/holdings/balances.ts'
import { readOwed } from '#server/ledger/read.ts'
import { findHold } from '#server/withdrawal-holds.ts'
import { isNameless } from './bank-names.ts'
import { findPayeeName } from './payout-store.ts'
import { findProtections, readRequested } from './protection-store.ts'

export const getWithdrawalTerms: Handler<'getWithdrawalTerms'> = async (context, { userId }) => {
  const { sql } = context
  const [{ cash }, owed, holds, hold, protections, requested, name] = await Promise.all([
    readBalances(sql, userId),
    readOwed(sql, userId),
    heldDeposits(context, sql, userId),
    findHold(sql, userId),
    findProtections(sql, userId),
    readRequested(sql, userId),
    findPayeeName(sql, userId),
  ])
  const isLocked = hold?.until === null
  const left = leftOf({ limit: protections.dailyLimit, requested: requested.amount })
  return {
    withdrawable:
      owed > 0n || isLocked
        ? '0.00'
        : unitsToDecimal(withdrawableOf({ available: cash, holds }), 2),
    owed: unitsToDecimal(-owed, 2).replace('-', ''),
    isLocked,
    isNameless: await isNameless(context, name),
    delayHours: protections.delayHours,
    leftToday: left === undefined ? null : unitsToDecimal(left, 2),
    hold: hold?.until ? { until: hold.until.toISOString(), reason: hold.reason } : null,
    holds: holds.map(({ amount, until }) => ({
      amount: unitsToDecimal(amount, 2),
      until: until.toISOString(),
    })),
  }
}
