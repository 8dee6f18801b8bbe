import type { Handler } from '#server/action.ts'
import { auditUser } from '#server/security/audit.ts'
import { readUser } from './get-user.ts'
import { renameUser } from './store.ts'

/** The audit event has who and when, but not the names. */
export const updateUser: Handler<'updateUser'> = async (
  { sql, atomically, newId },
  { userId, body },
) => {
  await atomically(async (tx) => {
    await renameUser(tx.sql, { userId, ...body })
    await auditUser({ newId }, tx, { userId, action: 'user.rename' })
  })
  return readUser(sql, userId)
}
