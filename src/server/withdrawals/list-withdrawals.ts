import type { Withdrawal } from '#contract/withdrawals.ts'
import { unitsToDecimal } from '#core/money/decimal.ts'
import { waitSentence } from '#core/withdrawals/payout-wait.ts'
import { isCancelable, isUnsent, shownStatus } from '#core/withdrawals/withdrawal.ts'
import type { Handler } from '#server/action.ts'
import type { Queries } from '#server/db/statement.ts'
import { findOpenWithdrawals, findWithdrawals, type StoredWithdrawal } from './store.ts'

export const listWithdrawals: Handler<'listWithdrawals'> = ({ sql }, { userId }) =>
  readWithdrawals(sql, userId)

export async function readWithdrawals(sql: Queries, userId: string): Promise<Withdrawal[]> {
  return (await findWithdrawals(sql, userId)).map(showWithdrawal)
}

/** `waitsFor`: as a sentence for operators. */
export async function listOpenWithdrawals(sql: Queries) {
  const open = await findOpenWithdrawals(sql)
  return open.map((row) => ({ ...row, waitsFor: waitSentence(row.waitsFor) }))
}

export function showWithdrawal(withdrawal: StoredWithdrawal): Withdrawal {
  const { id, bankAccountId, bankName, state } = withdrawal
  return {
    id,
    amount: unitsToDecimal(withdrawal.amount, 2),
    bankAccountId,
    bankName,
    accountNumber: withdrawal.accountNumberLast4,
    status: shownStatus(state),
    state,
    cancelable: isCancelable(withdrawal),
    sendsAfter: isUnsent(state) ? (withdrawal.heldUntil?.toISOString() ?? null) : null,
    createdAt: withdrawal.createdAt.toISOString(),
    processedAt: withdrawal.processedAt?.toISOString() ?? null,
  }
}
