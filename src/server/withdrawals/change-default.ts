import type { Context } from '#server/context.ts'
import type { Queries } from '#server/db/statement.ts'
import { notify } from '#server/notices/notify.ts'
import { holdWithdrawals } from '#server/withdrawal-holds.ts'
import { setDefault, type StoredBankAccount } from './bank-account-store.ts'

/**
 * Makes another account the one that withdrawals go to by default. A thief would do so too:
 * withdrawals wait, and the user gets a notice.
 */
export async function changeDefault(
  context: Context,
  tx: Queries,
  { userId, account }: { userId: string; account: StoredBankAccount },
): Promise<void> {
  await setDefault(tx, { userId, id: account.id })
  const hold = await holdWithdrawals(context, tx, { userId, reason: 'bank-account-default' })
  const details = { account: `${account.bankName} ••${account.accountNumberLast4}`, ...hold }
  await notify(tx, {
    userId,
    kind: 'bank-account-default',
    event: `bank-account:${account.id}:default:${context.newId()}`,
    details,
  })
}
