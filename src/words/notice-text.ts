import {
  isFixed,
  NOTICE_KINDS,
  type NoticeDetails,
  type NoticeKind,
  type NoticeTopic,
} from '#core/notices/notice.ts'
import type { MoneyStyle } from '#core/money/text.ts'
import { WAIT_REASONS, type WaitReason } from '#core/trading/wait.ts'
import { deviceOf } from './device.ts'
import { dayInWords, momentInWords } from './moment.ts'
import { waitReasonText } from './wait-text.ts'
import { digitsText, withPercent } from './figures.ts'
import { WORDINGS } from './notice-wordings.ts'
import { withoutDollars } from './without-dollars.ts'
import { msg, say, tCount } from './words.ts'

/** Appended if withdrawals wait after the event. `sentFrom`: the end of the wait. */
const SENT_FROM = msg('To protect your account, withdrawals are sent from {sentFrom} on.')

/** Appended if a forecast said how often a fall as large was expected. */
const FELL = msg('Since {since} it fell {fell}.')
const EXPECTED_NEVER = msg('A fall this large was expected on none of {ofDays} days.')

/** Appended to weekly figures, because they cover other days than the screen. */
const COUNTED = msg(
  'Counted from {from} to {to}. "Your week" counts the last seven market days up to now.',
)

/** Appended to the first trade of a bot: the bot's worth right after it. */
const AFTER = msg('After it: {worth}, {result} since the start.')

/** Appended to the closing of a bot, if the result is known. */
const IN_ALL = msg('Result since the start: {result}.')

const AMOUNTS = new Set([
  'amount',
  'loss',
  'limit',
  'balance',
  'result',
  'deposited',
  'withdrawn',
  'fees',
  'worth',
])

/** The result of trading or of a bot, the only amount that may be below zero. */
const SIGNED = new Set(['result'])

export type NoticeText = { title: string; text: string }

/** Prints amounts; undefined if they are left out. */
type AmountPrinter = ((style: MoneyStyle) => string) | undefined

type Printing = { print: AmountPrinter; moment?: (text: string) => string }

/**
 * A notice in the reader's language. `moment` prints a moment of core; by default in UTC, because a
 * message may be read in any time zone.
 */
export function noticeText(
  { kind, details }: { kind: NoticeKind; details: NoticeDetails },
  { print, moment = utcMoment }: Printing,
): NoticeText {
  const { title, text, discreet } = WORDINGS[kind]
  const message = print ? text : (discreet ?? text)
  const said = Object.fromEntries(
    Object.entries(details).map(([name, value]) => [
      name,
      detailInWords({ name, value }, { print, moment }),
    ]),
  )
  const { reason, pair = '' } = details
  if (isWaitReason(reason)) said['reason'] = waitReasonText({ reason, pair })
  const sentFrom = details['sentFrom'] === undefined ? '' : ` ${say(SENT_FROM, said)}`
  const fell = details['fell'] !== undefined && print ? ` ${fellText(said)}` : ''
  const after = print ? resultText(kind, said) : ''
  const counted = details['from'] === undefined ? '' : ` ${say(COUNTED, said)}`
  const why = whyText(details['why'], print)
  return { title: say(title), text: say(message, said) + after + why + fell + counted + sentFrom }
}

function resultText(kind: NoticeKind, said: Readonly<Record<string, string>>): string {
  if (kind === 'first-trade' && said['worth'] !== undefined) return ` ${say(AFTER, said)}`
  return kind === 'bot-stopped' && said['result'] !== undefined ? ` ${say(IN_ALL, said)}` : ''
}

function whyText(reason = '', print: AmountPrinter): string {
  const shown = print ? reason : withoutDollars(reason)
  return shown && ` ${shown}`
}

function fellText(said: Readonly<Record<string, string>>): string {
  const days = Number(said['expectedDays'])
  const expected =
    days === 0
      ? say(EXPECTED_NEVER, said)
      : tCount(
          days,
          {
            one: 'A fall this large was expected on {count} day in {ofDays}.',
            other: 'A fall this large was expected on {count} days in {ofDays}.',
          },
          said,
        )
  return `${say(FELL, said)} ${expected}`
}

const isWaitReason = (text: string | undefined): text is WaitReason =>
  WAIT_REASONS.some((reason) => reason === text)

const utcMoment = (text: string): string => `${momentInWords(text)} (UTC)`

function detailInWords(
  { name, value }: { name: string; value: string },
  { print, moment }: Required<Printing>,
): string {
  if (AMOUNTS.has(name))
    return print?.({ amount: value, ...(SIGNED.has(name) && { sign: 'always' as const }) }) ?? ''
  if (name === 'sentFrom' || name === 'since') return moment(value)
  if (name === 'from' || name === 'to') return dayInWords(value)
  if (name === 'fell') return withPercent(digitsText(value))
  return name === 'device' ? deviceOf(value) : value
}

const TOPICS: Record<NoticeTopic, string> = {
  security: msg('Security'),
  book: msg('Checks of the ledger'),
  deposits: msg('Deposits'),
  withdrawals: msg('Withdrawals'),
  bots: msg('Closed and stopped bots, plans'),
  'first-trades': msg('First trade of a bot'),
  loss: msg('Loss limit'),
  digest: msg('Weekly figures'),
}

export function topicTitle(topic: NoticeTopic): string {
  return say(TOPICS[topic])
}

const NAMES_BOT: ReadonlySet<NoticeKind> = new Set([
  'first-trade',
  'plan-short',
  'sale-waits',
  'sale-over',
  'stop-loss',
  'trailing-stop',
  'take-profit',
  'daily-loss',
])

export function noticePath({
  kind,
  details,
}: {
  kind: NoticeKind
  details: NoticeDetails
}): string {
  if (details['botId'] !== undefined && NAMES_BOT.has(kind))
    return `/bot-config/${details['botId']}`
  if (details['transactionId'] !== undefined) return `/history?receipt=${details['transactionId']}`
  const topic = NOTICE_KINDS[kind]
  if (topic === 'withdrawals' || kind === 'withdrawal-pending') return '/withdraw'
  if (topic === 'digest') return '/week'
  if (topic === 'loss') return '/'
  return isFixed(topic) ? '/profile' : '/history'
}
