/**
 * - `gone`: the browser has ended its subscription.
 * - `too-large`: the service will never accept this message.
 * - `later`: the service is busy or out of order.
 * - `our-mistake`: the request or its signature is wrong; the subscription may be valid.
 * - `unknown`: the answer is documented nowhere.
 */
export type PushMeaning = 'sent' | 'gone' | 'too-large' | 'later' | 'our-mistake' | 'unknown'

/**
 * Answers of push services to a message. Sources: RFC 8030 (5, 7.2, 7.3, 8.4), RFC 8292 (4.2),
 * Mozilla's autopush-rs "Error Codes", Firebase's "FCM error codes", Apple's "Sending web push
 * notifications in web apps and browsers", Microsoft's "WNS HTTP response codes", whose 406 is a
 * throttle.
 */
const MEANINGS: Readonly<Record<number, PushMeaning>> = {
  200: 'sent',
  201: 'sent',
  202: 'sent',
  400: 'our-mistake',
  401: 'our-mistake',
  403: 'our-mistake',
  404: 'gone',
  405: 'our-mistake',
  406: 'later',
  410: 'gone',
  413: 'too-large',
  429: 'later',
  500: 'later',
  502: 'later',
  503: 'later',
}

export const pushMeaning = (status: number): PushMeaning => MEANINGS[status] ?? 'unknown'

/** Longer waits are ignored, whatever a service requests. */
const LONGEST_WAIT_MS = 86_400_000

/** Seconds or a date; undefined for anything else. Source: RFC 9110, 10.2.3. */
export function retryAfterMs(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined
  const waitMs = /^\d{1,9}$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - nowMs
  return waitMs > 0 ? Math.min(waitMs, LONGEST_WAIT_MS) : undefined
}

/**
 * Names that are valid only on this machine or its network. Sources: RFC 2606, 6761, 6762, 8375.
 */
const LOCAL_NAME = /(^|\.)(localhost|local|internal|home\.arpa|test|invalid|example)$/

/**
 * Whether the contact is on the public internet. Apple's push service refuses every message with
 * another contact. Source: RFC 8292, 2.1.
 */
export function isReachableContact(address: string): boolean {
  const host = /^(?:mailto:[^@\s]+@|https:\/\/)([^\s:/?#]+)/.exec(address)?.[1]?.toLowerCase()
  return host !== undefined && /\.[a-z][a-z0-9-]+$/.test(host) && !LOCAL_NAME.test(host)
}
