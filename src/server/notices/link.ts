import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { DISOWN_DAYS, isDisownable, NOTICE_KINDS, type NoticeKind } from '#core/notices/notice.ts'
import { Refusal } from '#core/refusal.ts'
import { screens } from '#contract/screens.ts'
import type { Config } from '#server/settings/config.ts'
import { isId } from '#server/kernel/ids.ts'

type LinkPurpose = 'verify' | 'reset' | 'disown'

/**
 * Messages that are no notices: sent to an address before its owner is known, or to somebody who
 * cannot sign in.
 */
const MAIL_KINDS = ['verify-email', 'reset-password'] as const
export type MailKind = NoticeKind | (typeof MAIL_KINDS)[number]

/** How long a link works after its message was written. */
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
 * The secret of a link derives from the installation's secret and the id of its delivery: it is
 * stored nowhere, so a stolen database opens nothing. It comes after the #, which browsers do not
 * send and no log keeps.
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
  const signature = signatureOf({ purpose, delivery, secret: config.SESSION_SECRET })
  return `${siteAddress(config)}${PATHS[purpose]}#${userId}.${id}.${signature}`
}

/**
 * Its row tells whether the link still works. Refuses links to 'This was not me' that we did not
 * make; others are valid if `wentTo` the account's address. Threat: whoever can write to the
 * database redirects the owner's message.
 */
export function readLink(
  token: string,
  { purpose, secret }: { purpose: LinkPurpose; secret: string },
): Link {
  const [userId = '', id = '', signature = ''] = token.split('.', 3)
  if (!isId(userId) || !isId(id) || !SIGNATURE.test(signature)) throw new Refusal('link-invalid')
  const wentTo = (address: string | null) =>
    timingSafeEqual(
      Buffer.from(signature),
      Buffer.from(signatureOf({ purpose, delivery: { userId, id, address }, secret })),
    )
  if (purpose === 'disown' && !wentTo(null)) throw new Refusal('link-invalid')
  return { userId, id, wentTo }
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

function signatureOf({
  purpose,
  delivery: { userId, id, address },
  secret,
}: {
  purpose: LinkPurpose
  delivery: Delivery
  secret: string
}): string {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'mail-links', 32))
  return createHmac('sha256', key)
    .update(
      JSON.stringify(purpose === 'disown' ? [purpose, userId, id] : [purpose, userId, id, address]),
    )
    .digest('base64url')
}
