import fc from 'fast-check'
import { simpleParser, type AddressObject, type ParsedMail } from 'mailparser'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { required } from '#core/assert.ts'
import {
  isFixed,
  NOTICE_KINDS,
  NOTICE_TOPICS,
  type NoticeKind,
  type NoticeTopic,
} from '#core/notices/notice.ts'
import { LANGUAGES } from '#words/language.ts'
import { composeMail } from '#server/notices/compose.ts'
import { findDelivery } from '#server/notices/delivery-store.ts'
import { unsubscribeAddress, type MailKind } from '#server/notices/link.ts'
import { notify, writeMail } from '#server/notices/notify.ts'
import { findChoices, setChoice, type Choice } from '#server/notices/store.ts'
import type { ReceivedMail } from '../emulators/mail-server.ts'
import type { TestUser } from '../world/world.ts'
import { createMailWorld, SITE, type MailWorld } from './mail-world.ts'

/** Every message that the product sends, read by a reader that nobody here wrote. */
let world: MailWorld
beforeAll(async () => {
  world = await createMailWorld()
})
afterAll(() => world.close())

/** Names in many scripts, and lines that would be headers. */
const DETAILS = {
  device: 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0',
  account: '中国银行\r\nBcc: eve@example.com ••6789',
  address: 'grüße@bücher.example',
  bot: `Бот 🤖 محمد ${'Ελένη '.repeat(300)}`,
  username: 'ada',
  host: 'hooks.bots-receiver.com',
  key: 'Script\r\nBcc: eve@example.com',
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
}

const KINDS = Object.keys(NOTICE_KINDS) as NoticeKind[]
const HEADERS = [
  'auto-submitted',
  'content-language',
  'content-transfer-encoding',
  'content-type',
  'date',
  'from',
  'message-id',
  'mime-version',
  'subject',
  'to',
]
const UNSUBSCRIBE = ['list-unsubscribe', 'list-unsubscribe-post']

/** A message as it crossed the wire. Its lines: RFC 5321, 4.5.3.1.6, and RFC 5322, 2.1.1. */
async function read({ raw }: ReceivedMail): Promise<ParsedMail> {
  const bytes = Buffer.from(raw)
  expect(Math.max(...raw.split('\r\n').map((line) => Buffer.byteLength(line)))).toBeLessThan(999)
  expect(raw.replaceAll('\r\n', '')).not.toMatch(/[^\t\x20-\x7e]/)
  return simpleParser(bytes)
}

const headersOf = ({ headerLines }: ParsedMail) => headerLines.map(({ key }) => key).toSorted()
const oneOf = (field: AddressObject | AddressObject[] | undefined) =>
  [field].flat().flatMap((given) => given?.value ?? [])
const linkIn = (mail: ParsedMail): string =>
  (mail.headers.get('list') as { unsubscribe?: { url?: string } } | undefined)?.unsubscribe?.url ??
  ''

/** A user whose language is `language`, with every topic by mail. */
async function everyTopic(email: string, language = 'en'): Promise<TestUser> {
  const { sql } = world.context
  const user = await world.verified(email)
  await sql`update users set language = ${language} where id = ${user.id}`
  for (const topic of NOTICE_TOPICS)
    await setChoice(sql, { userId: user.id, topic, channel: 'mail', isOn: true })
  await world.deliver()
  return user
}

/** Writes every kind of message to a user, including those about addresses of others. */
async function writeAll({ id: userId }: TestUser, language: string): Promise<string[]> {
  const { sql } = world.context
  const [taken, released] = [`taken-${language}@example.com`, `released-${language}@example.com`]
  for (const email of [taken, released]) await everyTopic(email, language)
  await sql`update emails set released_at = now() where email_key = ${released}`
  await notify(
    sql,
    ...KINDS.map((kind) => ({ userId, kind, event: `all:${kind}`, details: DETAILS })),
  )
  const others: [MailKind, string][] = [
    ['verify-email', `neu-${language}@bücher.example`],
    ['verify-email', taken],
    ['verify-email', released],
    ['reset-password', `all-${language}@example.com`],
  ]
  for (const [kind, address] of others) await writeMail(sql, { userId, kind, address })
  return [...KINDS, ...others.map(([kind]) => kind)].toSorted()
}

const deliveryOf = async (userId: string, id: string) =>
  required(await findDelivery(world.context.sql, { userId, id }), 'a message has its delivery')

test.each(LANGUAGES)('every message in %s is read as it was written', async (language) => {
  const user = await everyTopic(`all-${language}@example.com`, language)
  const wanted = await writeAll(user, language)
  const from = Math.floor(Date.now() / 1_000) * 1_000
  const received = await world.deliver()
  const kinds: string[] = []
  for (const one of received) {
    const mail = await read(one)
    const id = /^<([0-9a-f-]{36})@bots\.example>$/.exec(mail.messageId ?? '')?.[1] ?? ''
    const delivery = await deliveryOf(user.id, id)
    const { subject, text } = await composeMail(world.context, delivery)
    const topic = NOTICE_KINDS[delivery.kind as NoticeKind] as NoticeTopic | undefined
    const isOptional = topic !== undefined && !isFixed(topic)
    kinds.push(delivery.kind)
    expect([delivery.kind, mail.subject, mail.text]).toEqual([
      delivery.kind,
      subject,
      text.replaceAll('\r\n', '\n'),
    ])
    expect(mail.html).toBe(false)
    expect(mail.attachments).toEqual([])
    expect(oneOf(mail.from)).toEqual([{ name: 'Trading Bot', address: 'bots@bots.example' }])
    expect(oneOf(mail.to)).toEqual([{ name: '', address: delivery.address }])
    expect(mail.date?.getTime()).toBeGreaterThanOrEqual(from)
    expect(mail.date?.getTime()).toBeLessThanOrEqual(Date.now())
    expect(mail.headers.get('content-language')).toBe(language)
    expect(mail.headers.get('content-type')).toMatchObject({ params: { charset: 'utf-8' } })
    expect(headersOf(mail)).toEqual([...HEADERS, ...(isOptional ? UNSUBSCRIBE : [])].toSorted())
    expect(linkIn(mail)).toMatch(
      isOptional
        ? new RegExp(`^${SITE}/api/unsubscribe/${user.id}\\.${topic}\\.[\\w-]{43}$`)
        : /^$/,
    )
    if (isOptional)
      expect(one.raw).toContain('\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n')
  }
  expect(kinds.toSorted()).toEqual(wanted)
})

/** Text that would be a header, a second message, or the end of this one. */
const LINES = ['\r\nBcc: eve@example.com', '\nTo: eve@example.com', '\r\n\r\n', '\r\n.\r\n', '=?x?']

test('no subject or text adds a header, a recipient or a message', async () => {
  const send = required(world.context.mail.send, 'mail is sent')
  const text = fc
    .array(
      fc.oneof(
        fc.constantFrom(...LINES),
        fc.string({ unit: 'grapheme' }),
        fc.string({ unit: 'grapheme-composite', minLength: 200, maxLength: 900 }),
      ),
      { minLength: 1, maxLength: 6 },
    )
    .map((parts) => parts.join(''))
  await fc.assert(
    fc.asyncProperty(fc.uuid(), text, text, async (id, title, words) => {
      const [subject, body] = [`About ${title}`, `Hello ${words}`]
      const before = world.mails.received.length
      await send({ id, to: 'ada@example.com', subject, text: body, language: 'en' })
      const [received, ...more] = world.mails.received.slice(before)
      expect(more).toEqual([])
      const mail = await read(required(received, 'a message was sent'))
      const inOneLine = (given = '') => given.replaceAll(/\s+/g, ' ').trim()
      expect(inOneLine(mail.subject)).toBe(inOneLine(subject))
      expect(mail.text?.trimEnd()).toBe(body.replaceAll('\r\n', '\n').trimEnd())
      expect(headersOf(mail)).toEqual(HEADERS)
      expect(oneOf(mail.to)).toEqual([{ name: '', address: 'ada@example.com' }])
    }),
    { numRuns: 100 },
  )
})

test.each([
  ['ada@bücher.example', 'ada@bücher.example'],
  ['grüße@example.com', 'grüße@example.com'],
  ['李小龙@例子.example', '李小龙@例子.example'],
])('a message to %s is addressed to that address alone', async (to, address) => {
  const before = world.mails.received.length
  const mail = { id: 'letters', to, subject: 'x', text: 'x', language: 'en' } as const
  await required(world.context.mail.send, 'mail is sent')(mail)
  const received = world.mails.received.slice(before)
  const parsed = await Promise.all(received.map(({ raw }) => simpleParser(Buffer.from(raw))))
  expect(parsed.map((one) => oneOf(one.to))).toEqual([[{ name: '', address }]])
})

const ONE_CLICK = 'List-Unsubscribe=One-Click'
const FORM = 'application/x-www-form-urlencoded'
const PARTS = {
  type: 'multipart/form-data; boundary=b',
  payload:
    '--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n',
}
/** Sends the request as a mail provider does: from anywhere, without a cookie. */
const press = (url: string, { type = FORM, payload = ONE_CLICK, method = 'POST' } = {}) =>
  world.app.inject({
    method: method as 'POST',
    url: url.replace(SITE, ''),
    headers: { host: new URL(SITE).host, 'content-type': type },
    payload,
  })
const open = (url: string) =>
  world.app.inject({ url: url.replace(SITE, ''), headers: { host: new URL(SITE).host } })

const choicesOf = ({ id }: TestUser) => findChoices(world.context.sql, id)
const without = (choices: readonly Choice[], gone: NoticeTopic) =>
  choices.map((choice) => (choice.topic === gone ? { ...choice, isOn: false } : choice))
const addressFor = (user: TestUser, kind: NoticeKind) =>
  required(unsubscribeAddress(world.context.config, { userId: user.id, kind }), 'it is optional')
const kindOf = (topic: NoticeTopic) =>
  required(
    KINDS.find((kind) => NOTICE_KINDS[kind] === topic),
    'every topic has a kind',
  )
const OPTIONAL = NOTICE_TOPICS.filter((topic) => !isFixed(topic))

test('one press on a message ends the mail of its topic only', async () => {
  const ada = await everyTopic('press@example.com')
  const eve = await everyTopic('eve-press@example.com')
  for (const topic of OPTIONAL) {
    const [before, eves] = [await choicesOf(ada), await choicesOf(eve)]
    const kind = kindOf(topic)
    const tell = (event: string) =>
      notify(world.context.sql, { userId: ada.id, kind, event, details: DETAILS })
    await tell(`${topic} 1`)
    const [mail] = await world.deliver()
    const url = linkIn(await read(required(mail, 'a message')))
    const answer = await open(url)
    expect([answer.statusCode, answer.headers.location]).toEqual([303, '/notice-settings'])
    expect(await choicesOf(ada), 'opening it changes nothing').toEqual(before)
    expect((await press(url, topic === 'loss' ? PARTS : {})).statusCode).toBe(200)
    expect((await press(url)).statusCode, 'again').toBe(200)
    expect(await choicesOf(ada)).toEqual(expect.arrayContaining(without(before, topic)))
    expect(await choicesOf(ada)).toHaveLength(before.length)
    expect(await choicesOf(eve)).toEqual(eves)
    await tell(`${topic} 2`)
    expect(await world.deliver()).toEqual([])
  }
  const [last] = (await ada.call('listNotices')).items
  expect(last, 'the inbox keeps it').toMatchObject({ kind: 'digest' })
  await ada.addBankAccount()
  expect((await world.deliver()).map(({ subject }) => subject)).toEqual(['Bank account added'])
})

test('an unsubscribe address that is forged, or called in another way, is refused', async () => {
  const [ada, eve] = [await everyTopic('odd@example.com'), await everyTopic('eve-odd@example.com')]
  const url = addressFor(ada, 'deposit')
  const [id = '', topic = '', signature = ''] = url.split('/').at(-1)?.split('.') ?? []
  const flipped = (signature.startsWith('A') ? 'B' : 'A') + signature.slice(1)
  const path = (...parts: string[]) => `/api/unsubscribe/${parts.join('.')}`
  const foreign = [
    ...NOTICE_TOPICS.filter((name) => name !== topic).map((name) => path(id, name, signature)),
    path(eve.id, topic, signature),
    path(id.toUpperCase(), topic, signature),
    path(id, topic.toUpperCase(), signature),
    path(id, topic, flipped),
    path(id, topic, signature.slice(1)),
    path(id, topic, `${signature}A`),
    path(id, topic, signature, ''),
    path(id, topic, signature, 'x'),
    path(id, topic, ''),
    path(id, topic),
    path(id, '', signature),
    path('', topic, signature),
    path('%2e%2e', '%2e%2e', '%2e%2e'),
    path(id, topic, encodeURIComponent('é'.repeat(43))),
    path(id, topic, encodeURIComponent(`${signature.slice(1)}\u0000`)),
    path(id, topic, encodeURIComponent(`${signature}\n`)),
    path(`${id}' or 1=1 --`.replaceAll(' ', '%20'), topic, signature),
    path(id, 'toString', signature),
    path(id, topic, 'A'.repeat(43)),
    path('a'.repeat(100)),
  ]
  const before = await choicesOf(ada)
  for (const address of foreign) {
    expect([address, (await press(address)).statusCode]).toEqual([address, 404])
    expect([address, (await open(address)).statusCode]).toEqual([address, 404])
  }
  for (const payload of ['', 'List-Unsubscribe=', 'One-Click', '{}', 'x'.repeat(1_000)])
    expect([payload, (await press(url, { payload })).statusCode]).toEqual([payload, 400])
  for (const method of ['PUT', 'PATCH', 'DELETE'])
    expect((await press(url, { method })).statusCode).toBe(403)
  expect(await choicesOf(ada)).toEqual(before)
  expect(await choicesOf(eve)).toEqual(await choicesOf(eve))
})

test('a closed account has no choices left: its unsubscribe addresses are refused', async () => {
  const ada = await everyTopic('closed@example.com')
  const url = addressFor(ada, 'digest')
  await ada.call('closeAccount')
  expect((await press(url)).statusCode).toBe(404)
  expect(await choicesOf(ada)).toEqual([])
})

test('a site without TLS offers no unsubscribe address: mail programs would not call it', () => {
  const { config } = world.context
  const PUBLIC_URL = 'http://localhost:5000'
  expect(
    KINDS.map((kind) => unsubscribeAddress({ ...config, PUBLIC_URL }, { userId: 'x', kind })),
  ).toEqual(KINDS.map(() => undefined))
})
