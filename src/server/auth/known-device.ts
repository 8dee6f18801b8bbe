import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Call } from '#server/action.ts'
import type { Context } from '#server/context.ts'
import { notify } from '#server/notices/notify.ts'

/** The user who signed in, and the stored hash that the password was compared with. */
type Proof = { userId: string; provenBy: string }

/** People who share a device: more marks than these would only make every request larger. */
const MOST_MARKS = 5

const MARK = /^([\w-]{22})\.([\w-]{43})$/

/**
 * Whoever signs in leaves a mark in this browser's cookie `device`. From a browser with a mark,
 * wrong passwords are counted by themselves, so that strangers who guess cannot lock the account's
 * owner out. Source: OWASP, "Slow Down Online Guessing Attacks with Device Cookies".
 *
 * Threat: theft. A stolen mark signs nobody in and allows no more guesses than a new address does;
 * it ends with the next change of the password, whose hash it signs. Threat: enumeration. It names
 * nobody: only together with the account that is typed can it be checked.
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

/**
 * The mark's nonce, which identifies this browser among those that signed in to the account;
 * undefined if it never did.
 */
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
 * Sends a notice of a sign-in with a browser that never signed in before. Called before the session
 * starts: a sign-in without a notice must not exist, while a notice without a sign-in does no harm.
 */
export async function reportSignIn(
  { sql, newId }: Context,
  { session, client }: Pick<Call<'login'>, 'session' | 'client'>,
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
