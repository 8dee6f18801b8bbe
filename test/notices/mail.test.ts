import { afterAll, beforeAll, expect, test } from 'vitest'
import { required } from '#core/assert.ts'
import { deliverNotices } from '#server/notices/deliver.ts'
import { findDue } from '#server/notices/delivery-store.ts'
import { smtpMail } from '#server/notices/mail-smtp.ts'
import type { MailMessage } from '#server/ports/mail.ts'
import { startMailServer } from '../emulators/mail-server.ts'
import { createMailWorld, FROM_SITE, SITE, type MailWorld } from './mail-world.ts'

let world: MailWorld
beforeAll(async () => {
  world = await createMailWorld()
})
afterAll(() => world.close())

const dueNow = (userId: string) =>
  world.context
    .sql`update deliveries set due_at = now() where user_id = ${userId} and state = 'waiting'`
const stateOf = async (userId: string) => {
  const [row] = await world.context.sql<{ state: string; attempts: number }[]>`
    select state, attempts from deliveries where user_id = ${userId} and channel = 'mail'
     order by created_at desc limit 1`
  return row
}

test('a verified address gets a notice once, in plain text, with a Message-ID', async () => {
  const ada = await world.verified('ada@example.com')
  await ada.deposit('500')
  const [mail, ...more] = await world.deliver()
  expect(more).toEqual([])
  expect(mail).toMatchObject({ to: 'ada@example.com', subject: 'Deposit received' })
  expect(mail?.text).toContain('$500.00 was added to your balance.')
  expect(mail?.text).toContain(`Account: @${ada.username}`)
  const [row] = await world.context.sql<
    { id: string }[]
  >`select id from deliveries where user_id = ${ada.id} and kind = 'deposit'`
  expect(mail?.id).toBe(`<${row?.id}@bots.example>`)
  expect(mail?.raw).toContain('Content-Type: text/plain')
  expect(await world.deliver()).toEqual([])
})

test('an address that is not verified gets no notice', async () => {
  const ada = await world.user()
  await ada.call('changeEmail', {
    body: { email: 'unverified@example.com', currentPassword: 'correct horse battery' },
  })
  await ada.deposit('500')
  expect((await world.deliver()).map(({ subject }) => subject)).toEqual([
    'Verify your email address',
  ])
})

test('a message is written in the language in which its user signed in', async () => {
  const ada = await world.verified('deutsch@example.com')
  const headers = { ...FROM_SITE, 'accept-language': 'de' }
  await world.app.inject({
    method: 'POST',
    url: '/api/auth/login',
    headers,
    payload: { username: ada.username, password: 'correct horse battery' },
  })
  await ada.deposit('500')
  const mails = await world.deliver()
  expect(mails.map(({ subject }) => subject).toSorted()).toEqual([
    'Einzahlung erhalten',
    'Neue Anmeldung',
  ])
  expect(mails.find(({ subject }) => subject === 'Einzahlung erhalten')?.text).toContain(
    '500,00\u00a0$ sind in deinem Guthaben.',
  )
})

test('only a message about security has the link that stops a stranger', async () => {
  const ada = await world.verified('links@example.com')
  await ada.addBankAccount()
  await ada.deposit('500')
  const mails = await world.deliver()
  expect(mails.find(({ subject }) => subject === 'Bank account added')?.text).toContain(
    `${SITE}/not-me#${ada.id}.`,
  )
  expect(mails.find(({ subject }) => subject === 'Deposit received')?.text).not.toContain('/not-me')
})

test('a busy mail server gets the message later, and nothing is lost', async () => {
  const ada = await world.verified('busy@example.com')
  await ada.deposit('500')
  world.mails.setBusy(true)
  expect(await world.deliver()).toEqual([])
  expect(await stateOf(ada.id)).toEqual({ state: 'waiting', attempts: 1 })
  expect(await world.deliver(), 'not before its time').toEqual([])
  world.mails.setBusy(false)
  await dueNow(ada.id)
  expect((await world.deliver()).map(({ subject }) => subject)).toEqual(['Deposit received'])
  expect(await stateOf(ada.id)).toEqual({ state: 'sent', attempts: 2 })
})

test('a dead address is no longer verified, and the inbox reports that', async () => {
  const ada = await world.verified('gone@example.com')
  world.mails.unknown.add('gone@example.com')
  await ada.deposit('500')
  await world.deliver()
  expect(await ada.call('getUser')).toMatchObject({
    email: 'gone@example.com',
    emailVerified: false,
  })
  expect((await ada.call('listNotices')).items[0]).toMatchObject({
    kind: 'email-dead',
    details: { address: 'gone@example.com' },
  })
  expect(await stateOf(ada.id)).toEqual({ state: 'given-up', attempts: 1 })
})

test('a delivery whose process died is sent by another one after its lease', async () => {
  const ada = await world.verified('crash@example.com')
  await ada.deposit('500')
  const { send, ...mail } = world.context.mail
  let reached: (() => void) | undefined
  const isTaken = new Promise<void>((resolve) => (reached = resolve))
  // A process that takes the delivery and then hangs.
  void deliverNotices(
    {
      ...world.context,
      mail: { ...mail, send: () => (reached?.(), new Promise(() => undefined)) },
    },
    'mail',
    { leaseMs: 600_000 },
  )
  await isTaken
  expect(await world.deliver()).toEqual([])
  await dueNow(ada.id)
  expect((await world.deliver()).map(({ to }) => to)).toEqual(['crash@example.com'])
  expect(send).toBeDefined()
})

test('a message that takes longer than its lease is sent once, by its first process', async () => {
  const ada = await world.verified('slow@example.com')
  await ada.deposit('500')
  const { mail } = world.context
  const leaseMs = 200
  let [open, reach] = [() => {}, () => {}]
  const [opened, reached] = [
    new Promise<void>((resolve) => (open = resolve)),
    new Promise<void>((resolve) => (reach = resolve)),
  ]
  const slow = {
    ...mail,
    send: async (message: MailMessage) => (
      reach(),
      await opened,
      required(mail.send, 'mail is sent')(message)
    ),
  }
  const sending = deliverNotices({ ...world.context, mail: slow }, 'mail', { leaseMs })
  await reached
  const lateBy = async () =>
    (
      await world.context.sql<
        { late: boolean }[]
      >`select now() > created_at + interval '1 second' as late from deliveries
        where user_id = ${ada.id} and kind = 'deposit'`
    )[0]?.late
  for (let late = await lateBy(); late !== true; late = await lateBy())
    expect(await world.deliver(), 'another process').toEqual([])
  const before = world.mails.received.length
  open()
  await sending
  expect(world.mails.received.slice(before).map(({ to }) => to)).toEqual(['slow@example.com'])
  expect(await stateOf(ada.id)).toEqual({ state: 'sent', attempts: 1 })
})

test('a mail server with a late greeting gets its message', async () => {
  const late = await startMailServer({ greetAfterMs: 7_000 })
  const mail = smtpMail({ url: late.url, from: 'bots@bots.example' })
  const outcome = await mail.send?.({
    id: 'late',
    to: 'ada@example.com',
    subject: 'Late',
    text: 'Late',
    language: 'en',
  })
  mail.close?.()
  await late.close()
  expect([outcome, late.received.map(({ to }) => to)]).toEqual(['sent', ['ada@example.com']])
})

test('many processes send each message once', async () => {
  const ada = await world.verified('many@example.com')
  for (let deposits = 0; deposits < 5; deposits += 1) await ada.deposit('20')
  const before = world.mails.received.length
  await Promise.all(Array.from({ length: 6 }, () => deliverNotices(world.context, 'mail')))
  const ids = world.mails.received.slice(before).map(({ id }) => id)
  expect(ids).toHaveLength(5)
  expect(new Set(ids).size).toBe(5)
})

test('a name in a message stays text: it adds no header and no recipient', async () => {
  const ada = await world.verified('names@example.com')
  await ada.call('addBankAccount', {
    body: {
      bankName: 'Bank Bcc: eve@example.com',
      accountNumber: '000123456789',
      routingNumber: '021000021',
      accountType: 'checking',
    },
  })
  const mails = await world.deliver()
  expect(mails.map(({ to }) => to)).toEqual(['names@example.com'])
  expect(mails[0]?.raw.split('\r\n\r\n')[0]).not.toMatch(/^Bcc/im)
})

test('a message about security overtakes any number of others', async () => {
  const [ada, eve] = [
    await world.verified('crowd@example.com'),
    await world.verified('urgent@example.com'),
  ]
  for (let deposits = 0; deposits < 3; deposits += 1) await ada.deposit('20')
  await eve.addBankAccount()
  const [first] = await findDue(world.context.sql, { channel: 'mail', limit: 1 })
  expect(first?.userId).toBe(eve.id)
  await world.deliver()
})
