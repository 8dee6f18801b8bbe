import { NOTICE_KINDS, type NoticeDetails, type NoticeKind } from './notice.ts'

/**
 * More than a day and a quarter in total. Source: Standard Webhooks 1.0.0, "Deliverability and
 * reliability".
 */
const RETRY_SECONDS = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400]

/** Spreads the retries of receivers that failed together. */
const JITTER = 0.2

/**
 * The wait after this many failed attempts; undefined to give up. `random`: from 0 up to 1.
 */
export function webhookRetryMs(attempts: number, random: number): number | undefined {
  const seconds = RETRY_SECONDS[attempts - 1]
  return seconds === undefined ? undefined : Math.round(seconds * 1_000 * (1 + JITTER * random))
}

/** A webhook that has failed for so long is switched off. */
export const WEBHOOK_FAILING_DAYS = 5

/**
 * After a change of secret, messages are also signed with the earlier one for this long, so that no
 * receiver refuses them.
 */
export const EARLIER_SECRET_HOURS = 24

/** The type of a message, such as 'withdrawals.withdrawal_paid'. */
export const webhookType = (kind: NoticeKind): string =>
  `${NOTICE_KINDS[kind]}.${kind}`.replaceAll('-', '_')

/**
 * Threat: others read the logs of a receiver. So names of banks, addresses and devices are not
 * sent.
 */
const SENT_DETAILS: ReadonlySet<string> = new Set([
  'amount',
  'balance',
  'bot',
  'botId',
  'deposited',
  'expectedDays',
  'fees',
  'fell',
  'from',
  'limit',
  'loss',
  'ofDays',
  'pair',
  'reason',
  'result',
  'sentFrom',
  'since',
  'to',
  'transactionId',
  'week',
  'why',
  'withdrawn',
  'worth',
])

export const webhookDetails = (details: NoticeDetails): NoticeDetails =>
  Object.fromEntries(Object.entries(details).filter(([name]) => SENT_DETAILS.has(name)))
