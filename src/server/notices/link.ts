import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import {
  DISOWN_DAYS,
  isDisownable,
  isFixed,
  NOTICE_KINDS,
  NOTICE_TOPICS,
  type NoticeKind,
  type NoticeTopic,
} from '#core/notices/notice.ts'
import { Refusal } from '#core/refusal.ts'
import { plainRoutes } from '#contract/plain-routes.ts'
import { screens } from '#contract/screens.ts'
import type { Config } from '#server/settings/config.ts'
import { isId } from '#server/kernel/ids.ts'

export type LinkPurpose = 'verify' | 'reset' | 'disown'

/**
 * Messages that are not notices: they go to an address whose owner is not known yet, or to somebody
 * who cannot sign in.
 */
const MAIL_KINDS = ['verify-email', 'reset-password'] as const
export type MailKind = NoticeKind | (typeof MAIL_KINDS)[number]

/** Hours for which a link works after its message was written. */
export const LINK_HOURS: Record<LinkPurpose, number> = {
  verify: 24,
  reset: 1,
  disown: DISOWN_DAYS * 24,
}

const PATHS: Record<LinkPurpose, string> = {
  verify: screens.verifyEmail.path,
  reset: screens.resetPassword.path,
  disown: screens.notMe.path,
}

/**
 * `address`: the recipient. Links for resets and verifications are valid for this address alone.
 */
type Delivery = { userId: string; id: string; address: string | null }

/** `wentTo`: whether the link was sent to this address. */
export type Link = { userId: string; id: string; wentTo: (address: string | null) => boolean }

/** Undefined for messages without a link. */
export function purposeOf(kind: MailKind): LinkPurpose | undefined {
  if (kind === 'verify-email') return 'verify'
  if (kind === 'reset-password') return 'reset'
  return kind in NOTICE_KINDS && isDisownable(kind as NoticeKind) ? 'disown' : undefined
}

/**
 * Address with the link's secret, which derives from the installation's secret and the id of the
 * delivery. It is stored nowhere, so a stolen database opens nothing. The secret comes after the #.
 * Browsers do not send that part, so no log contains it.
 */
export function linkTo({
  purpose,
  delivery,
  config,
}: {
  purpose: LinkPurpose
  delivery: Delivery
  config: Config
}): string {
  const { userId, id } = delivery
  const signature = signatureOf(config.SESSION_SECRET, signedParts(purpose, delivery))
  return `${siteAddress(config)}${PATHS[purpose]}#${userId}.${id}.${signature}`
}

/**
 * Parses a link. Checks the signature of links to 'This was not me' only; for others, the caller
 * must check `wentTo` with the account's address. Threat: whoever can write to the database
 * redirects the owner's message. Expiry and use of a link are in the delivery's row.
 */
export function readLink(
  token: string,
  { purpose, secret }: { purpose: LinkPurpose; secret: string },
): Link {
  const [userId = '', id = '', signature = ''] = token.split('.', 3)
  if (!isId(userId) || !isId(id) || !SIGNATURE.test(signature)) throw new Refusal('link-invalid')
  const wentTo = (address: string | null) =>
    isSignature(signature, signatureOf(secret, signedParts(purpose, { userId, id, address })))
  if (purpose === 'disown' && !wentTo(null)) throw new Refusal('link-invalid')
  return { userId, id, wentTo }
}

/**
 * The address that ends a topic's mail with one press of a mail program's button (RFC 8058).
 * Undefined for topics that cannot be switched off, and for sites without TLS, which the RFC
 * requires. It stays valid: an old message must be able to end the next one.
 */
export function unsubscribeAddress(
  config: Config,
  { userId, kind }: { userId: string; kind: NoticeKind },
): string | undefined {
  const [topic, site] = [NOTICE_KINDS[kind], siteAddress(config)]
  if (isFixed(topic) || !site.startsWith('https:')) return undefined
  const signature = signatureOf(config.SESSION_SECRET, ['unsubscribe', userId, topic])
  return site + plainRoutes.unsubscribe.replace(':token', `${userId}.${topic}.${signature}`)
}

/** Refuses addresses that we did not make. */
export function readUnsubscribe(
  token: string,
  secret: string,
): { userId: string; topic: NoticeTopic } {
  const [userId = '', name = '', signature = '', ...more] = token.split('.', 4)
  const topic = NOTICE_TOPICS.find((known) => known === name && !isFixed(known))
  if (topic === undefined || more.length > 0 || !SIGNATURE.test(signature))
    throw new Refusal('not-found')
  if (!isSignature(signature, signatureOf(secret, ['unsubscribe', userId, topic])))
    throw new Refusal('not-found')
  return { userId, topic }
}

/**
 * Threat: whoever requests a link to a new password chooses the host of that request, so only the
 * settings decide.
 */
export function siteAddress({
  PUBLIC_URL,
  HOST,
  PORT,
}: Pick<Config, 'PUBLIC_URL' | 'HOST' | 'PORT'>): string {
  if (PUBLIC_URL !== undefined) return new URL(PUBLIC_URL).origin
  return `http://${/^(127\.|0\.0\.0\.0$|::)/.test(HOST) ? 'localhost' : HOST}:${PORT}`
}

/** 32 bytes in base64url. */
const SIGNATURE = /^[\w-]{43}$/

const isSignature = (given: string, expected: string): boolean =>
  timingSafeEqual(Buffer.from(given), Buffer.from(expected))

const signedParts = (purpose: LinkPurpose, { userId, id, address }: Delivery) =>
  purpose === 'disown' ? [purpose, userId, id] : [purpose, userId, id, address]

function signatureOf(secret: string, parts: readonly (string | null)[]): string {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'mail-links', 32))
  return createHmac('sha256', key).update(JSON.stringify(parts)).digest('base64url')
}
