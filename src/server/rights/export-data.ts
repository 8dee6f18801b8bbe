import { plainRoutes } from '#contract/plain-routes.ts'
import { required } from '#core/assert.ts'
import type { Handler } from '#server/action.ts'
import { writeAudit } from '#server/security/audit.ts'
import { throttle } from '#server/security/throttle.ts'
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

/** The app sends two requests for each copy: without a proof, and with it. */
const REQUESTS_PER_HOUR = 20

/**
 * Returns the address of the user's copy. Threat: a stolen session could download everything at
 * once, so the address needs a proof.
 */
export const exportData: Handler<'exportData'> = async (
  { sql, atomically, config, newId, now },
  { userId, session, proof },
) => {
  const sessionId = required(await session.id(), 'a user has a session')
  await throttle(sql, { key: `export:${userId}`, limit: REQUESTS_PER_HOUR, windowSeconds: 3_600 })
  await atomically(async (tx) => {
    await proof.spend(tx)
    await writeAudit(tx, {
      id: newId(),
      actor: `user:${userId}`,
      action: 'data.export',
      subject: userId,
      details: {},
    })
  })
  const ticket = makeTicket({ userId, sessionId, secret: config.SESSION_SECRET, now: now() })
  return { path: `${plainRoutes.myData}?ticket=${ticket}` }
}

/** Time within which a download must be started. */
const TICKET_SECONDS = 300

type Bearer = { userId: string; sessionId: string; secret: string }

/**
 * Lets one session download its user's data: a browser downloads by address, where no proof can be
 * sent. The address is worthless without that session's cookie.
 */
function makeTicket({ now, ...bearer }: Bearer & { now: Date }): string {
  const until = String(Math.floor(now.getTime() / 1_000) + TICKET_SECONDS)
  return `${until}.${signatureOf(bearer, until)}`
}

export function isTicket(ticket: string, { now, ...bearer }: Bearer & { now: Date }): boolean {
  const [until = '', signature = ''] = ticket.split('.', 2)
  const expected = Buffer.from(signatureOf(bearer, until))
  const given = Buffer.from(signature)
  return (
    given.length === expected.length &&
    timingSafeEqual(given, expected) &&
    Number(until) * 1_000 > now.getTime()
  )
}

function signatureOf({ userId, sessionId, secret }: Bearer, until: string): string {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'data-exports', 32))
  return createHmac('sha256', key)
    .update(JSON.stringify([userId, sessionId, until]))
    .digest('base64url')
}
