import { afterEach, expect, test } from 'vitest'
import {
  NOTICE_KINDS,
  NOTICE_TOPICS,
  type NoticeDetails,
  type NoticeKind,
} from '#core/notices/notice.ts'
import { moneyText } from './figures.ts'
import { inGerman } from './german.ts'
import { setLanguageSource } from './language.ts'
import { noticePath, noticeText, topicTitle } from './notice-text.ts'
import { addTranslator } from './words.ts'

afterEach(() => setLanguageSource(() => 'en'))

const KINDS = Object.keys(NOTICE_KINDS) as NoticeKind[]

/** The details of all kinds together. */
const DETAILS = {
  device: 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0',
  account: 'First Bank ••6789',
  address: 'ada@example.com',
  bot: 'Steady',
  username: 'ada',
  key: 'Script',
  host: 'hooks.bots-receiver.com',
  amount: '1234.50',
  loss: '50.00',
  limit: '40.00',
  balance: '10.00',
  result: '-3.20',
  deposited: '20.00',
  withdrawn: '0.00',
  fees: '0.10',
  sentFrom: '2026-11-28 00:07',
  pair: 'BTC/USDT',
  reason: 'closed',
  since: '2026-11-28 00:07',
  from: '2026-11-23',
  to: '2026-11-30',
  fell: '5.12',
  expectedDays: '1',
  ofDays: '20',
  worth: '499.62',
  why: 'Bought because SOL rose above its 20-day high ($644.47).',
}

test.each(KINDS)(
  'the text of %s has all its details, and no amounts if they are left out',
  (kind) => {
    const { title, text } = noticeText({ kind, details: DETAILS }, { print: moneyText })
    expect(title).not.toBe('')
    expect(text).not.toMatch(/[{}]/)
    expect(text).toContain('sent from Nov 28, 2026, 00:07 (UTC) on.')
    const discreet = noticeText({ kind, details: DETAILS }, { print: undefined }).text
    expect(discreet).not.toMatch(/[{}$]|\d\.\d/)
    expect(discreet.trim()).not.toBe('')
  },
)

test('amounts and devices are spelled in the reader’s language', () => {
  addTranslator('de', inGerman)
  setLanguageSource(() => 'de')
  expect(
    noticeText({ kind: 'deposit', details: { amount: '1234.50' } }, { print: moneyText }),
  ).toEqual({ title: 'Einzahlung erhalten', text: '1.234,50\u00a0$ sind in deinem Guthaben.' })
  expect(
    noticeText({ kind: 'sign-in', details: { device: DETAILS.device } }, { print: moneyText }).text,
  ).toBe('Firefox auf Linux hat sich bei deinem Konto angemeldet.')
  expect(noticeText({ kind: 'digest', details: DETAILS }, { print: moneyText }).text).toContain(
    'ab 28.11.2026, 00:07 (UTC)',
  )
  expect(noticeText({ kind: 'digest', details: DETAILS }, { print: moneyText }).text).toContain(
    'Handelsergebnis \u22123,20\u00a0$',
  )
})

test('a first trade is reported with its result, then its reason; without what is unknown', () => {
  const [kind, bot, why] = ['first-trade', 'Steady', 'Bought to hold'] as const
  const figures = { bot, worth: '499.62', result: '-0.38' }
  const text = (details: NoticeDetails, print: typeof moneyText | undefined = moneyText) =>
    noticeText({ kind, details }, { print }).text
  expect(text({ ...figures, why })).toBe(
    'Steady made its first trade. After it: $499.62, \u2212$0.38 since the start. Bought to hold',
  )
  expect(text(figures)).toMatch(/since the start\.$/)
  expect(text({ bot })).toBe('Steady made its first trade.')
  expect(noticeText({ kind, details: { ...DETAILS, bot } }, { print: undefined }).text).toMatch(
    /^Steady made its first trade\. Bought because SOL rose above its 20-day high\. /,
  )
  addTranslator('de', inGerman)
  setLanguageSource(() => 'de')
  expect(text(figures)).toBe(
    'Steady hat zum ersten Mal gehandelt. Danach: 499,62\u00a0$, \u22120,38\u00a0$ seit dem Start.',
  )
})

test('a closed bot is reported with its result, if that is known', () => {
  const details = { bot: 'Steady', amount: '97.31' }
  const text = (more: NoticeDetails = {}) =>
    noticeText({ kind: 'bot-stopped', details: { ...details, ...more } }, { print: moneyText }).text
  const closed = 'Steady is closed. $97.31 is back in your balance.'
  expect(text({ result: '-2.69' })).toBe(`${closed} Result since the start: −$2.69.`)
  expect(text()).toBe(closed)
  addTranslator('de', inGerman)
  setLanguageSource(() => 'de')
  expect(text({ result: '-2.69' })).toMatch(/\. Ergebnis seit dem Start: −2,69\u00a0\$\.$/)
})

test('the weekly message names the days that it counts', () => {
  const { balance, result, deposited, withdrawn, fees, from, to } = DETAILS
  const figures = { balance, result, deposited, withdrawn, fees }
  const text = (details: NoticeDetails, print?: typeof moneyText) =>
    noticeText({ kind: 'digest', details }, { print }).text
  const [english, german] = [
    'from Nov 23, 2026 to Nov 30, 2026. "Your week" counts the last seven market days up to now.',
    'vom 23.11.2026 bis 30.11.2026. „Deine Woche“ zählt die letzten sieben Markttage bis jetzt.',
  ]
  expect(text({ ...figures, from, to }, moneyText)).toContain(`fees $0.10. Counted ${english}`)
  expect(text({ from, to })).toBe(`The figures of your week are ready. Counted ${english}`)
  expect(text(figures, moneyText)).not.toContain('Counted')
  addTranslator('de', inGerman)
  setLanguageSource(() => 'de')
  expect(text({ from, to })).toBe(`Die Zahlen deiner Woche sind da. Gezählt ${german}`)
})

test.each([
  ['1', '20', 'on 1 day in 20.', 'an 1 von 20 Tagen zu erwarten.'],
  ['3', '10', 'on 3 days in 10.', 'an 3 von 10 Tagen zu erwarten.'],
  ['0', '365', 'on none of 365 days.', 'an keinem von 365 Tagen zu erwarten.'],
] as const)(
  'a fall expected on %s of %s days is reported with that frequency, its size and start',
  (expectedDays, ofDays, english, german) => {
    const { since, fell } = DETAILS
    const details = { bot: 'Steady', since, fell, expectedDays, ofDays }
    const text = () => noticeText({ kind: 'daily-loss', details }, { print: moneyText }).text
    expect(text()).toMatch(
      `Since Nov 28, 2026, 00:07 (UTC) it fell 5.12%. A fall this large was expected ${english}`,
    )
    addTranslator('de', inGerman)
    setLanguageSource(() => 'de')
    expect(text()).toMatch(
      'Seit 28.11.2026, 00:07 (UTC) ist er um 5,12\u00a0% gefallen. ' +
        `Ein so großer Rückgang war ${german}`,
    )
    expect(
      noticeText({ kind: 'daily-loss', details: { bot: 'Steady' } }, { print: moneyText }).text,
    ).not.toMatch(/Seit|Rückgang/)
  },
)

test.each<[NoticeKind, Record<string, string>, string]>([
  ['deposit', { transactionId: '7' }, '/history?receipt=7'],
  ['deposit-taken-back', {}, '/history'],
  ['withdrawal-pending', {}, '/withdraw'],
  ['withdrawal-paid', {}, '/withdraw'],
  ['first-trade', { botId: '7' }, '/bot-config/7'],
  ['bot-stopped', { botId: '7' }, '/history'],
  ['loss-limit', {}, '/'],
  ['digest', {}, '/week'],
  ['sign-in', {}, '/profile'],
  ['book-differs', {}, '/profile'],
])('%s with %j leads to %s', (kind, details, path) =>
  expect(noticePath({ kind, details })).toBe(path),
)

test('every topic has a title of its own', () =>
  expect(new Set(NOTICE_TOPICS.map(topicTitle)).size).toBe(NOTICE_TOPICS.length))
