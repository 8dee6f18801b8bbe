import type { Handler } from '#server/action.ts'
import { auditUser } from '#server/security/audit.ts'
import { endSessionsOf } from './frozen.ts'

export const endOtherSessions: Handler<'endOtherSessions'> = async (
  { atomically, newId },
  { userId, session, proof },
) => {
  const except = await session.id()
  return atomically(async (tx) => {
    await proof.spend(tx)
    const ended = await endSessionsOf(tx.sql, { userId, except })
    await auditUser({ newId }, tx, {
      userId,
      action: 'session.end-others',
      details: { ended: String(ended) },
    })
    return { ended }
  })
}
