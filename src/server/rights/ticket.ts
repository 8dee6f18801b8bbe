import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

/** How long a download can be started. */
const TICKET_SECONDS = 300

type Bearer = { userId: string; sessionId: string; secret: string }

/**
 * Lets one session download its user's data, after a proof of who asks: a browser downloads by
 * address, where no proof can be sent. Without that session's cookie it is worth nothing, so it may
 * stand in an address.
 */
export function makeTicket({ now, ...bearer }: Bearer & { now: Date }): string {
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
