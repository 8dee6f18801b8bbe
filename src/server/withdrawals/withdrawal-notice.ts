import { unitsToDecimal } from '#core/money/decimal.ts'
import { isUnsent, momentText } from '#core/withdrawals/withdrawal.ts'
import type { NewNotice } from '#server/notices/notify.ts'
import type { StoredWithdrawal } from './store.ts'

/** Tells the owner that the withdrawal has reached its present state. */
export function withdrawalNotice({
  id,
  userId,
  state,
  amount,
  bankName,
  accountNumberLast4,
  heldUntil,
}: StoredWithdrawal): NewNotice {
  const details = {
    amount: unitsToDecimal(amount, 2),
    account: `${bankName} ••${accountNumberLast4}`,
    withdrawalId: id,
    ...(isUnsent(state) && heldUntil && { sentFrom: momentText(heldUntil) }),
  }
  return { userId, kind: `withdrawal-${state}`, event: `withdrawal:${id}:${state}`, details }
}
