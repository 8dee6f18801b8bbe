import { Refusal } from '#core/refusal.ts'
import type { Handler } from '#server/action.ts'
import { auditUser } from '#server/security/audit.ts'
import { publish } from '#server/events/bus.ts'
import { deleteSessionOf } from './store.ts'

/**
 * Ending another session needs a proof. Threat: a thief with a stolen session locks the owner out.
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
