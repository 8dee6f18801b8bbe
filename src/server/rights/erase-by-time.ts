import { changeAccount } from '#server/security/account-seal.ts'
import { leaveLocked } from '#server/ledger/guard-seals.ts'
import type { Context } from '#server/context.ts'
import { eraseNumbers } from '#server/withdrawals/erase-numbers.ts'
import {
  deleteOldRows,
  deleteOutdatedAddresses,
  deletePersonalRows,
  findLatelyClosed,
  findOutdatedAddresses,
} from './store.ts'

/**
 * Erases what is no longer needed. Records of money and the audit trail stay, because the law
 * requires them.
 */
export async function eraseByTime(context: Context): Promise<void> {
  const { sql } = context
  await deleteOldRows(sql)
  for (const userId of await findOutdatedAddresses(sql)) {
    await changeAccount(context, userId, ({ sql }) => deleteOutdatedAddresses(sql, userId)).catch(
      (error: unknown) => leaveLocked(context, error),
    )
  }
  await eraseNumbers(sql)
  for (const userId of await findLatelyClosed(sql)) await deletePersonalRows(sql, userId)
}
