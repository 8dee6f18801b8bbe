import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { RouteName } from '#contract/routes.ts'
import type { Call } from '#server/action.ts'
import type { Context } from '#server/context.ts'
import { notify } from '#server/notices/notify.ts'

/** The user who signed in, and the stored hash that the password was compared with. */
type Proof = { userId: string; provenBy: string }

/** Maximum users remembered per device, because each makes every request larger. */
const MOST_MARKS = 5

const MARK = /^([\w-]{22})\.([\w-]{43})$/

/**
 * Marks this browser in the cookie `device`. Wrong passwords from a marked browser are counted
 * separately, so that strangers cannot lock the owner out. Source: OWASP, "Slow Down Online
 * Guessing Attacks with Device Cookies". Threat: theft. A stolen mark signs nobody in, allows no
 * more guesses than a new address, and is invalid after a change of the password. Threat:
 * enumeration. A mark can be checked only against a typed account.
 */
export function addMark(
  cookie: string | undefined,
  { secret, proof }: { secret: string; proof: Proof },
): string {
  const others = marksOf(cookie).filter((mark) => !isMarkOf(mark, { secret, proof }))
  const nonce = randomBytes(16).toString('base64url')
  return [`${nonce}.${signatureOf(nonce, { secret, proof })}`, ...others]
    .slice(0, MOST_MARKS)
    .join('~')
}

/** Id of this browser among those that signed in to the account; undefined if it never did. */
export function knownDevice(
  cookie: string | undefined,
  { secret, proof }: { secret: string; proof: Proof },
): string | undefined {
  return marksOf(cookie)
    .find((mark) => isMarkOf(mark, { secret, proof }))
    ?.split('.')[0]
}

const marksOf = (cookie = ''): string[] =>
  cookie.split('~', MOST_MARKS).filter((mark) => MARK.test(mark))

function isMarkOf(mark: string, signing: { secret: string; proof: Proof }): boolean {
  const [, nonce = '', signature = ''] = MARK.exec(mark) ?? []
  return timingSafeEqual(Buffer.from(signature), Buffer.from(signatureOf(nonce, signing)))
}

function signatureOf(
  nonce: string,
  { secret, proof: { userId, provenBy } }: { secret: string; proof: Proof },
): string {
  return createHmac('sha256', secret)
    .update(JSON.stringify(['known-device', nonce, userId, provenBy]))
    .digest('base64url')
}

/**
 * Callers must report before they start the session: a notice without a sign-in is harmless, but a
 * sign-in without a notice is not.
 */
export async function reportSignIn(
  { sql, newId }: Context,
  { session, client }: Pick<Call<RouteName>, 'session' | 'client'>,
  proof: Proof,
): Promise<void> {
  if (session.knownDevice(proof) !== undefined) return
  await notify(sql, {
    userId: proof.userId,
    kind: 'sign-in',
    event: `sign-in:${newId()}`,
    details: { device: client.browser },
  })
}
