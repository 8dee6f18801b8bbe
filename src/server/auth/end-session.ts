import { Refusal } from '#core/refusal.ts'
import type { Handler } from '#server/action.ts'
import { auditUser } from '#server/security/audit.ts'
import { publish } from '#server/events/bus.ts'
import { deleteSessionOf } from './store.ts'

/**
 * Signs one of the user's devices out at once: its next call answers 401, its event stream ends.
 * Threat: a thief with a stolen session would shut its owner out, so another session than one's own
 * ends with a proof alone.
 */
export const endSession: Handler<'endSession'> = async (
  { atomically, newId },
  { userId, params: { id }, session, proof },
) => {
  const isCurrent = id === (await session.id())
  await atomically(async (tx) => {
    if (!(await deleteSessionOf(tx.sql, { userId, id }))) throw new Refusal('not-found')
    if (!isCurrent) await proof.spend(tx)
    await auditUser({ newId }, tx, { userId, action: 'session.end', subject: id })
    await publish(tx.sql, { name: 'sessions-ended', userIds: [userId] })
  })
  if (isCurrent) await session.end()
  return {}
}
