import type { Handler } from '#server/action.ts'
import { writeAudit } from '#server/audit.ts'
import { atomically } from '#server/db/atomically.ts'
import { readUser } from './get-user.ts'
import { renameUser } from './store.ts'

/** Changes the user's own name. The audit keeps who changed it and when, not the names. */
export const updateUser: Handler<'updateUser'> = async ({ sql, newId }, { userId, body }) => {
  await atomically(sql, async (tx) => {
    await renameUser(tx, { userId, ...body })
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
