import type { Handler } from '#server/action.ts'
import { writeAudit } from '#server/security/audit.ts'
import { publish } from '#server/events/bus.ts'
import { deleteSessionsOf } from './store.ts'

/** Signs the user out on all other devices. */
export const endOtherSessions: Handler<'endOtherSessions'> = async (
  { atomically, newId },
  { userId, session, proof },
) => {
  const except = await session.id()
  return atomically(async (tx) => {
    await proof.spend(tx)
    const ended = await deleteSessionsOf(tx.sql, { userId, except })
    await writeAudit(tx, {
      id: newId(),
      actor: `user:${userId}`,
      action: 'session.end-others',
      subject: userId,
      details: { ended: String(ended) },
    })
    await publish(tx.sql, { name: 'sessions-ended', userIds: [userId] })
    return { ended }
  })
}
