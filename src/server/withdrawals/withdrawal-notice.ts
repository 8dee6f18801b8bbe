import { unitsToDecimal } from '#core/money/decimal.ts'
import type { NewNotice } from '#server/notices/notify.ts'
import type { StoredWithdrawal } from './store.ts'

/** Tells the owner that the withdrawal has reached its present state. */
export function withdrawalNotice({ id, userId, state, amount, bankName, accountNumberLast4 }: StoredWithdrawal): NewNotice {
  const details = { amount: unitsToDecimal(amount, 2), account: `${bankName} ••${accountNumberLast4}`, withdrawalId: id }
  return { userId, kind: `withdrawal-${state}`, event: `withdrawal:${id}:${state}`, details }
}
