import { emailKey } from '#core/auth/credentials.ts'
import {
  DISOWN_DAYS,
  type NoticeDetails,
  type NoticeKind,
  type StoredNoticeDetails,
} from '#core/notices/notice.ts'
import { webhookDetails, webhookType } from '#core/notices/webhook.ts'
import { screens } from '#contract/screens.ts'
import { moneyText } from '#words/figures.ts'
import { noticePath, noticeText } from '#words/notice-text.ts'
import { language } from '#words/language.ts'
import { sentenceText } from '#words/sentence-text.ts'
import { t, tCount } from '#words/words.ts'
import type { Context } from '#server/context.ts'
import { inLanguage } from '#server/kernel/in-language.ts'
import type { MailMessage } from '#server/ports/mail.ts'
import { supportOf } from '#server/settings/settings.ts'
import { findOtherOwner, type Delivery } from './delivery-store.ts'
import { linkTo, purposeOf, siteAddress, unsubscribeAddress } from './link.ts'

export type Composed = Pick<MailMessage, 'subject' | 'text' | 'language' | 'unsubscribe'>

/**
 * Writes a message in its reader's language. An unverified address may be a stranger's: such a
 * message contains no text chosen by its sender. Threat: otherwise anybody could have us send their
 * words to anybody.
 */
export async function composeMail(context: Context, delivery: Delivery): Promise<Composed> {
  if (delivery.kind === 'verify-email') return composeVerification(context, delivery)
  return inLanguage(delivery.language, () =>
    delivery.kind === 'reset-password'
      ? resetMail(context, delivery)
      : noticeMail(context, delivery),
  )
}

/**
 * A sender must not learn whether an address has an account: its owner gets this message instead of
 * a link.
 */
async function composeVerification(context: Context, delivery: Delivery): Promise<Composed> {
  const { userId, address } = delivery
  const owner = await findOtherOwner(context.sql, { userId, emailKey: emailKey(address ?? '') })
  if (owner)
    return inLanguage(owner.language, () =>
      owner.isReleased ? releasedMail(owner.username) : takenMail(context, owner.username),
    )
  return inLanguage(delivery.language, () => verifyMail(context, delivery))
}

function verifyMail({ config }: Context, delivery: Delivery): Composed {
  return {
    language: language(),
    subject: t('Verify your email address'),
    text: paragraphs(
      t('Open this link within 24 hours to verify this address for your account at Trading Bot:'),
      linkTo({ purpose: 'verify', delivery, config }),
      t(
        'If you have no account there, somebody mistyped an address. You can ignore ' +
          'this message.',
      ),
    ),
  }
}

const asked = () => t('Somebody gave this address for another account at Trading Bot.')

function takenMail({ config }: Context, username: string): Composed {
  return {
    language: language(),
    subject: t('You already have an account'),
    text: paragraphs(
      asked(),
      t('It belongs to the account @{username}, and nothing was changed.', { username }),
      t('If that was you, sign in with this username: {link}', {
        link: siteAddress(config) + screens.login.path,
      }),
    ),
  }
}

function releasedMail(username: string): Composed {
  return {
    language: language(),
    subject: t('This address is not available yet'),
    text: paragraphs(
      asked(),
      t('Until recently it belonged to @{username}, who can take it back for {days} days.', {
        username,
        days: String(DISOWN_DAYS),
      }),
      t('After that, another account can use it.'),
    ),
  }
}

function resetMail({ config }: Context, delivery: Delivery): Composed {
  return {
    language: language(),
    subject: t('Set a new password'),
    text: paragraphs(
      t('Open this link within an hour to set a new password for @{username}:', {
        username: delivery.username,
      }),
      linkTo({ purpose: 'reset', delivery, config }),
      [
        t('A new password signs out all devices.'),
        holdOf(config),
        t('If you did not request this, do nothing: your password stays the same.'),
      ]
        .filter(Boolean)
        .join(' '),
    ),
  }
}

function holdOf({ WITHDRAWAL_HOLD_HOURS: hours }: Context['config']): string | undefined {
  if (hours === 0) return undefined
  return tCount(hours, {
    one: 'Withdrawals then wait for {count} hour.',
    other: 'Withdrawals then wait for {count} hours.',
  })
}

function noticeMail({ config }: Context, delivery: Delivery): Composed {
  const notice = { kind: delivery.kind as NoticeKind, details: detailsInWords(delivery.details) }
  const { title, text } = noticeText(notice, { print: moneyText })
  const support = supportOf(config)
  const isClosed = delivery.kind === 'account-closed'
  const purpose = isToNewAddress(delivery) ? undefined : purposeOf(delivery.kind)
  return {
    language: language(),
    subject: title,
    unsubscribe: unsubscribeAddress(config, { userId: delivery.userId, kind: notice.kind }),
    text: paragraphs(
      text,
      !isClosed && siteAddress(config) + noticePath(notice),
      purpose &&
        t(
          'This was not me: this link signs out all devices, locks withdrawals and the ' +
            'password, and undoes the changes.',
        ),
      purpose && t('The link works for {days} days.', { days: String(DISOWN_DAYS) }),
      purpose && linkTo({ purpose, delivery, config }),
      support && t('Questions: {address}', { address: support.address }),
      !isClosed && t('Account: @{username}', { username: delivery.username }),
    ),
  }
}

/** A thief's new address must not get the link that undoes the change. */
const isToNewAddress = ({ kind, address, details }: Delivery): boolean =>
  kind === 'email-changed' && address === details['address']

const paragraphs = (...parts: readonly (string | false | null | undefined)[]): string =>
  `${parts.filter(Boolean).join('\n\n')}\n`

/**
 * Payload for the service worker. It has no amounts unless the user wants them: anybody can read a
 * locked screen.
 */
export function composePush({ kind, details, language, pushAmounts, noticeId }: Delivery): string {
  return inLanguage(language, () => {
    const notice = { kind: kind as NoticeKind, details: detailsInWords(details) }
    return JSON.stringify({
      ...noticeText(notice, { print: pushAmounts ? moneyText : undefined }),
      lang: language,
      path: noticePath(notice),
      tag: noticeId,
    })
  })
}

/** Source: Standard Webhooks 1.0.0, "Payload structure". */
export function composeWebhook({ kind: given, details, language, createdAt }: Delivery): string {
  const kind = given as NoticeKind
  return inLanguage(language, () => {
    const said = detailsInWords(details)
    const { title } = noticeText({ kind, details: said }, { print: undefined })
    return JSON.stringify({
      type: webhookType(kind),
      timestamp: createdAt.toISOString(),
      data: { ...webhookDetails(said), title },
    })
  })
}

/** The details as their reader sees them: sentences in the reader's language. */
export function detailsInWords(details: StoredNoticeDetails): NoticeDetails {
  return Object.fromEntries(
    Object.entries(details).map(([name, value]) => [
      name,
      typeof value === 'object' ? sentenceText(value) : value,
    ]),
  )
}

/** At most 32 characters of base64url. Source: RFC 8030, 5.4. */
export const topicOf = ({ noticeId, id }: Pick<Delivery, 'noticeId' | 'id'>): string =>
  (noticeId ?? id).replaceAll('-', '')
