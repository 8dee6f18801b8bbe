import type { Handler } from '#server/action.ts'
import { writeAudit } from '#server/audit.ts'
import { atomically } from '#server/db/atomically.ts'
import { publish } from '#server/events/bus.ts'
import { deleteSessionsOf } from './store.ts'

/** Signs the user out on all other devices. */
export const endOtherSessions: Handler<'endOtherSessions'> = async (
  { sql, newId },
  { userId, session, proof },
) => {
  const except = await session.id()
  return atomically(sql, async (tx) => {
    await proof.spend(tx)
    const ended = await deleteSessionsOf(tx, { userId, except })
    await writeAudit(tx, {
      id: newId(),
      actor: `user:${userId}`,
      action: 'session.end-others',
      subject: userId,
      details: { ended: String(ended) },
    })
    await publish(tx, { name: 'sessions-ended', userIds: [userId] })
    return { ended }
  })
}
