import type { Sentence } from '#core/sentences.ts'

export const NOTICE_CHANNELS = ['inbox', 'mail', 'push'] as const
export type NoticeChannel = (typeof NOTICE_CHANNELS)[number]

/** Users choose channels for each topic. */
export const NOTICE_TOPICS = [
  'security',
  'book',
  'deposits',
  'withdrawals',
  'bots',
  'first-trades',
  'loss',
  'digest',
] as const
export type NoticeTopic = (typeof NOTICE_TOPICS)[number]

/** Requested withdrawals belong to security, because a thief may have requested them. */
export const NOTICE_KINDS = {
  'sign-in': 'security',
  'password-changed': 'security',
  'password-reset': 'security',
  'passkey-added': 'security',
  'passkey-removed': 'security',
  'authenticator-added': 'security',
  'authenticator-removed': 'security',
  'recovery-codes-renewed': 'security',
  'key-made': 'security',
  'key-revoked': 'security',
  'email-asked': 'security',
  'email-changed': 'security',
  'email-dead': 'security',
  'account-disowned': 'security',
  'account-closed': 'security',
  'bank-account-added': 'security',
  'bank-account-default': 'security',
  'bank-account-removed': 'security',
  'protections-changed': 'security',
  'webhook-added': 'security',
  'webhook-changed': 'security',
  'webhook-removed': 'security',
  'webhook-off': 'security',
  'withdrawal-pending': 'security',
  'holds-released': 'security',
  'frozen-by-operator': 'security',
  'unfrozen-by-operator': 'security',
  'signed-out-by-operator': 'security',
  'book-differs': 'book',
  deposit: 'deposits',
  'deposit-taken-back': 'deposits',
  'withdrawal-in_review': 'withdrawals',
  'withdrawal-approved': 'withdrawals',
  'withdrawal-submitted': 'withdrawals',
  'withdrawal-paid': 'withdrawals',
  'withdrawal-failed': 'withdrawals',
  'withdrawal-returned': 'withdrawals',
  'withdrawal-canceled': 'withdrawals',
  'withdrawal-rejected': 'withdrawals',
  'bot-stopped': 'bots',
  'stop-loss': 'bots',
  'trailing-stop': 'bots',
  'take-profit': 'bots',
  'daily-loss': 'bots',
  'plan-short': 'bots',
  'sale-waits': 'bots',
  'sale-over': 'bots',
  'first-trade': 'first-trades',
  'loss-limit': 'loss',
  digest: 'digest',
} as const satisfies Record<string, NoticeTopic>
export type NoticeKind = keyof typeof NOTICE_KINDS

const DEFAULTS: Record<NoticeTopic, readonly NoticeChannel[]> = {
  security: NOTICE_CHANNELS,
  book: NOTICE_CHANNELS,
  deposits: ['inbox', 'mail', 'push'],
  withdrawals: ['inbox', 'mail', 'push'],
  bots: ['inbox', 'mail', 'push'],
  'first-trades': ['inbox', 'push'],
  loss: ['inbox', 'mail', 'push'],
  digest: ['inbox'],
}

/**
 * Whether a topic cannot be switched off. Threat: whoever takes over an account would switch it off
 * first.
 */
export function isFixed(topic: NoticeTopic): boolean {
  return topic === 'security' || topic === 'book'
}

export function isOnByDefault(topic: NoticeTopic, channel: NoticeChannel): boolean {
  return DEFAULTS[topic].includes(channel)
}

/** Amounts in dollars with two decimals, names, dates, ids, and texts for the reader. */
export type NoticeDetails = Readonly<Record<string, string>>

/** Sentences are put into the reader's language when somebody reads them. */
export type StoredNoticeDetails = Readonly<Record<string, string | Sentence>>

const NOT_DISOWNABLE: readonly NoticeKind[] = [
  'account-disowned',
  'account-closed',
  'email-dead',
  'webhook-off',
  'frozen-by-operator',
  'signed-out-by-operator',
]

/** Whether a message of this kind carries the link 'This was not me'. */
export function isDisownable(kind: NoticeKind): boolean {
  return NOTICE_KINDS[kind] === 'security' && !NOT_DISOWNABLE.includes(kind)
}

/** Events that a thief could cause. */
export const DISOWNABLE_KINDS: readonly NoticeKind[] = (
  Object.keys(NOTICE_KINDS) as NoticeKind[]
).filter(isDisownable)

/** The link 'This was not me' works for this many days, and resets an account by as many. */
export const DISOWN_DAYS = 7
