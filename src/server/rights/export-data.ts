import { plainRoutes } from '#contract/routes.ts'
import { required } from '#core/assert.ts'
import type { Handler } from '#server/action.ts'
import { writeAudit } from '#server/audit.ts'
import { atomically } from '#server/db/atomically.ts'
import { throttle } from '#server/throttle.ts'
import { makeTicket } from './ticket.ts'

/** The app asks twice for each: without a proof, and with it. */
const REQUESTS_PER_HOUR = 20

/**
 * Threat: a stolen session alone would read out everything at once. So it takes a proof of who asks
 * to get the address of the copy.
 */
export const exportData: Handler<'exportData'> = async (
  { sql, config, newId, now },
  { userId, session, proof },
) => {
  const sessionId = required(await session.id(), 'a user has a session')
  await throttle(sql, { key: `export:${userId}`, limit: REQUESTS_PER_HOUR, windowSeconds: 3_600 })
  await atomically(sql, async (tx) => {
    await proof.spend(tx)
    await writeAudit(tx, {
      id: newId(),
      actor: `user:${userId}`,
      action: 'data.export',
      subject: userId,
      details: {},
    })
  })
  return {
    path: `${plainRoutes.myData}?ticket=${makeTicket({ userId, sessionId, secret: config.SESSION_SECRET, now: now() })}`,
  }
}
