import type { Context } from '#server/context.ts'
import { eraseNumbers } from '#server/withdrawals/erase-numbers.ts'
import { deleteOldRows, deletePersonalRows, findLatelyClosed } from './store.ts'

/** Erases what is no longer needed. Records of money and the audit trail stay, because the law asks for them. */
export async function eraseByTime({ sql }: Context): Promise<void> {
  await deleteOldRows(sql)
  await eraseNumbers(sql)
  for (const userId of await findLatelyClosed(sql)) await deletePersonalRows(sql, userId)
}
