import type { Handler } from '#server/action.ts'
import { writeAudit } from '#server/security/audit.ts'
import { readUser } from './get-user.ts'
import { renameUser } from './store.ts'

/** Changes the user's own name. The audit keeps who changed it and when, not the names. */
export const updateUser: Handler<'updateUser'> = async (
  { sql, atomically, newId },
  { userId, body },
) => {
  await atomically(async (tx) => {
    await renameUser(tx.sql, { userId, ...body })
    await writeAudit(tx, {
      id: newId(),
      actor: `user:${userId}`,
      action: 'user.rename',
      subject: userId,
      details: {},
    })
  })
  return readUser(sql, userId)
}
