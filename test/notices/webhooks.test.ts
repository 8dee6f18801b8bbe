import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { Webhooks } from '#contract/notices.ts'
import { deliverNotices } from '#server/notices/deliver.ts'
import { takeDelivery } from '#server/notices/delivery-store.ts'
import { httpsWebhooks } from '#server/notices/webhook-https.ts'
import type { WebhookMessage } from '#server/ports/webhook.ts'
import {
  RECEIVER,
  startWebhookReceiver,
  type ReceivedWebhook,
  type WebhookReceiver,
} from '../emulators/webhook-receiver.ts'
import type { TestUser } from '../world/world.ts'
import { createMailWorld, tokenIn, type MailWorld } from './mail-world.ts'

let world: MailWorld
let receiver: WebhookReceiver
beforeAll(async () => {
  receiver = await startWebhookReceiver()
  const webhook = httpsWebhooks({ agent: receiver.agent, timeoutMs: 2_000 })
  world = await createMailWorld({ context: { webhook } })
})
beforeEach(() => receiver.answerWith(200))
afterAll(async () => {
  await world.close()
  await receiver.close()
})

type Topic = Webhooks['webhooks'][number]['topics'][number]
const add = (user: TestUser, ...topics: Topic[]) =>
  user.call('addWebhook', { body: { address: `${RECEIVER}/${user.id}`, topics } })

/** Sends what is due, and returns what the user's receiver got. */
async function deliver(user: TestUser): Promise<ReceivedWebhook[]> {
  const before = receiver.received.length
  await deliverNotices(world.context, 'webhook')
  return receiver.received.slice(before).filter(({ path }) => path === `/${user.id}`)
}

const makeDue = (user: TestUser) =>
  world.context.sql`update deliveries set due_at = now() where user_id = ${user.id}
    and channel = 'webhook'`
const idsOf = (messages: readonly ReceivedWebhook[]) =>
  messages.map(({ headers }) => headers['webhook-id'])
const kindsOf = async (user: TestUser) =>
  (await user.call('listNotices')).items.map(({ kind }) => kind)

function verified(message: ReceivedWebhook | undefined, secret = '') {
  return new Webhook(secret).verify(message?.body ?? '', message?.headers ?? {})
}

test('the specification’s own library accepts a notice as it is sent', async () => {
  const ada = await world.user()
  const { secret, webhooks } = await add(ada, 'deposits')
  expect(webhooks).toMatchObject([{ topics: ['deposits'], isOn: true }])
  await ada.deposit('500')
  const [message, ...more] = await deliver(ada)
  expect(more).toEqual([])
  const [notice] = (await ada.call('listNotices')).items
  const payload = verified(message, secret) as { timestamp: string }
  expect(payload).toEqual({
    type: 'deposits.deposit',
    timestamp: expect.any(String),
    data: {
      title: 'Deposit received',
      amount: '500.00',
      transactionId: notice?.details['transactionId'],
    },
  })
  expect(
    Math.abs(Date.parse(payload.timestamp) - Date.parse(notice?.createdAt ?? '')),
  ).toBeLessThan(60_000)
  const forged = { path: '', headers: message?.headers ?? {}, body: `${message?.body} ` }
  expect(() => verified(forged, secret)).toThrow('matching')
  expect(() => verified(message, `whsec_${Buffer.alloc(32).toString('base64')}`)).toThrow(
    'matching',
  )
  expect(await deliver(ada)).toEqual([])
})

test('only notices of the chosen topics are sent, without the withheld details', async () => {
  const ada = await world.user()
  await add(ada, 'security')
  await deliver(ada)
  await ada.deposit('500')
  await ada.addBankAccount()
  const [message, ...more] = await deliver(ada)
  expect(more).toEqual([])
  expect(JSON.parse(message?.body ?? '')).toMatchObject({ type: 'security.bank_account_added' })
  expect(message?.body).not.toMatch(/••|First|routing/)
})

test('an address that is too long is refused as too long', async () => {
  const ada = await world.user()
  const body = { address: `${RECEIVER}/${'x'.repeat(500)}`, topics: ['deposits'] }
  const refused = (await ada.ask('addWebhook', { body })).body
  expect([refused.field, refused.message]).toEqual([
    'address',
    'String must contain at most 500 character(s)',
  ])
})

test('after a change of secret, messages have the earlier signature too, for a day', async () => {
  const ada = await world.user()
  const first = await add(ada, 'deposits')
  const params = { id: first.webhooks[0]?.id ?? '' }
  const body = { address: `${RECEIVER}/${ada.id}`, topics: ['deposits' as const], newSecret: true }
  const second = await ada.call('updateWebhook', { params, body })
  expect(second.secret).toMatch(/^whsec_/)
  expect(second.secret).not.toBe(first.secret)
  await ada.deposit('20')
  const [both] = await deliver(ada)
  verified(both, first.secret)
  verified(both, second.secret)
  await world.context.sql`update webhooks set earlier_until = now() where user_id = ${ada.id}`
  await ada.deposit('20')
  const [one] = await deliver(ada)
  verified(one, second.secret)
  expect(() => verified(one, first.secret)).toThrow('matching')
  expect(
    await ada.call('updateWebhook', { params, body: { ...body, newSecret: false } }),
  ).not.toHaveProperty('secret')
  expect(JSON.stringify(await ada.call('listWebhooks'))).not.toContain('whsec_')
  const [stored] = await world.context.sql<
    { sealed: string }[]
  >`select secret_sealed as sealed from webhooks where user_id = ${ada.id}`
  expect(stored?.sealed).not.toContain(second.secret?.slice(6))
})

test.each([
  [500, {}, 5, 6],
  [404, {}, 5, 6],
  [429, { 'retry-after': '7200' }, 7_190, 7_200],
  [302, { location: 'https://127.0.0.1/' }, 5, 6],
  ['silence', {}, 5, 6],
] as const)(
  'after %s %j a message is tried again later',
  async (reply, headers, atLeast, atMost) => {
    const ada = await world.user()
    await add(ada, 'deposits')
    await ada.deposit('20')
    receiver.answerWith(reply, headers)
    const [first, ...more] = await deliver(ada)
    expect(more).toEqual([])
    const { webhooks, messages } = await ada.call('listWebhooks')
    expect(webhooks[0]?.failingSince).not.toBeNull()
    expect(messages).toMatchObject([
      { state: 'waiting', attempts: 1, answer: reply === 'silence' ? null : reply },
    ])
    const [row] = await world.context.sql<{ seconds: number }[]>`
    select extract(epoch from due_at - now())::float as seconds from deliveries
     where user_id = ${ada.id} and channel = 'webhook'`
    expect(row?.seconds).toBeGreaterThan(atLeast - 5)
    expect(row?.seconds).toBeLessThanOrEqual(atMost)
    receiver.answerWith(200)
    await makeDue(ada)
    const again = await deliver(ada)
    expect(idsOf(again)).toEqual(idsOf([first].filter((message) => message !== undefined)))
    expect((await ada.call('listWebhooks')).webhooks[0]?.failingSince).toBeNull()
  },
)

test('a message is given up after eight attempts, and can be sent again under its id', async () => {
  const ada = await world.user()
  await add(ada, 'deposits')
  await ada.deposit('20')
  receiver.answerWith(500)
  const tried: ReceivedWebhook[] = []
  for (let attempt = 0; attempt < 9; attempt += 1) {
    tried.push(...(await deliver(ada)))
    await makeDue(ada)
  }
  expect(tried).toHaveLength(8)
  const [message] = (await ada.call('listWebhooks')).messages
  expect(message).toMatchObject({ state: 'given-up', attempts: 8, answer: 500, nextAt: null })
  receiver.answerWith(204)
  const params = { id: message?.id ?? '' }
  await ada.call('resendWebhook', { params })
  const again = await deliver(ada)
  expect(new Set(idsOf([...tried, ...again])).size).toBe(1)
  expect((await ada.call('listWebhooks')).messages).toMatchObject([{ state: 'sent', answer: 204 }])
  const eve = await world.user()
  expect((await eve.ask('resendWebhook', { params })).status).toBe(404)
})

test('a message that is being sent, or was, is not sent a second time', async () => {
  const ada = await world.user()
  await add(ada, 'deposits')
  await ada.deposit('20')
  const both = await Promise.all([deliver(ada), deliver(ada)])
  expect(new Set(both.flat()).size).toBe(1)
  await makeDue(ada)
  expect(await deliver(ada)).toEqual([])
})

/** Holds messages to addresses under `slow` until `release`. */
function slowSender(slow: string, signal?: AbortSignal) {
  const open = new AbortController()
  const seen = { held: 0, mostHeld: 0, sent: [] as string[] }
  const { webhook } = world.context
  const context = {
    ...world.context,
    webhook: {
      ...webhook,
      send: async (message: WebhookMessage) => {
        if (message.address.startsWith(slow)) {
          seen.held += 1
          seen.mostHeld = Math.max(seen.mostHeld, seen.held)
          if (!open.signal.aborted) await once(open.signal, 'abort')
          seen.held -= 1
        }
        seen.sent.push(message.address)
        return { status: 200 }
      },
    },
  }
  const wait = (isSo: () => boolean) => vi.waitFor(() => expect(isSo()).toBe(true), 60_000)
  const round = deliverNotices(context, 'webhook', signal && { signal })
  return { seen, wait, release: () => open.abort(), round }
}

test('a slow receiver delays no other, and gets one message at a time', async () => {
  const [ada, bob] = [await world.user(), await world.user()]
  await add(ada, 'deposits')
  await add(bob, 'deposits')
  for (const user of [ada, ada, bob]) await user.deposit('20')
  const ofBob = `${RECEIVER}/${bob.id}`
  const { seen, wait, release, round } = slowSender(`${RECEIVER}/${ada.id}`)
  await wait(() => seen.held === 1 && seen.sent.includes(ofBob))
  await bob.deposit('30')
  await wait(() => seen.sent.length === 2)
  expect(seen).toEqual({ held: 1, mostHeld: 1, sent: [ofBob, ofBob] })
  release()
  await round
  expect(seen).toMatchObject({ held: 0, mostHeld: 1 })
  expect(seen.sent.filter((address) => address !== ofBob)).toHaveLength(2)
})

test('eight messages are under way to one host at most, whoever’s they are', async () => {
  const [ada, bob, cy] = [await world.user(), await world.user(), await world.user()]
  const host = 'https://busy.bots-receiver.com'
  for (let number = 0; number < 5; number += 1)
    for (const user of [ada, bob])
      await user.call('addWebhook', {
        body: { address: `${host}/${number}`, topics: ['deposits'] },
      })
  await add(cy, 'deposits')
  for (const user of [ada, bob, cy]) await user.deposit('20')
  const { seen, wait, release, round } = slowSender(host)
  await wait(() => seen.held === 8 && seen.sent.length === 1)
  expect(seen.sent).toEqual([`${RECEIVER}/${cy.id}`])
  release()
  await round
  expect([seen.mostHeld, seen.sent.length]).toEqual([8, 11])
})

test('a stopping process begins no message and waits for no unresponsive receiver', async () => {
  const ada = await world.user()
  await add(ada, 'deposits')
  for (const amount of ['20', '30']) await ada.deposit(amount)
  const stop = new AbortController()
  const { seen, wait, release, round } = slowSender(RECEIVER, stop.signal)
  await wait(() => seen.held === 1)
  stop.abort()
  await round
  expect(seen).toEqual({ held: 1, mostHeld: 1, sent: [] })
  release()
  await wait(() => seen.sent.length === 1)
  await deliver(ada)
})

test('after a failure of a webhook, another webhook of its host is next', async () => {
  const [ada, bob, cy] = [await world.user(), await world.user(), await world.user()]
  const host = 'https://failing.bots-receiver.com'
  const addAt = (user: TestUser, path: string) =>
    user.call('addWebhook', { body: { address: `${host}/${path}`, topics: ['deposits'] } })
  for (let number = 0; number < 4; number += 1)
    for (const user of [ada, bob]) await addAt(user, `first${number}`)
  await addAt(cy, 'other')
  for (const user of [ada, bob, cy, ada, bob]) await user.deposit('20')
  const sent: string[] = []
  let answered = 0
  const send = async ({ address }: WebhookMessage) => {
    const place = sent.push(new URL(address).pathname) - 1
    await expect.poll(() => answered).toBeGreaterThan(place)
    return { status: 503 }
  }
  const webhook = { ...world.context.webhook, send }
  const round = deliverNotices({ ...world.context, webhook }, 'webhook')
  await expect.poll(() => sent.length).toBe(8)
  answered = 1
  await expect.poll(() => sent.length).toBeGreaterThan(8)
  expect(sent[8]).toBe('/other')
  answered = 17
  await round
  expect(sent).toHaveLength(17)
})

test('while no message can be locked, messages are polled only now and then', async () => {
  const ada = await world.user()
  await add(ada, 'deposits')
  await ada.deposit('20')
  const stop = new AbortController()
  let failures = 0
  const sql = new Proxy(world.context.sql, {
    apply: (query, self, [text, ...values]: [TemplateStringsArray, ...unknown[]]) => {
      if (!text.join('').includes('attempts + 1'))
        return Reflect.apply(query, self, [text, ...values])
      failures += 1
      return Promise.reject(new Error('read-only'))
    },
  })
  const round = deliverNotices({ ...world.context, sql }, 'webhook', { signal: stop.signal })
  await delay(1_200)
  stop.abort()
  await round
  expect(failures).toBeGreaterThan(0)
  expect(failures).toBeLessThan(5)
  await deliver(ada)
})

test('if a process dies after it sent, another sends the message under the same id', async () => {
  const ada = await world.user()
  await add(ada, 'deposits')
  await ada.deposit('20')
  const { sql } = world.context
  const id = (await ada.call('listWebhooks')).messages[0]?.id ?? ''
  // The lease of a process that was killed: it has ended, and nothing was recorded.
  expect(await takeDelivery(sql, { userId: ada.id, id }, 0)).toMatchObject({ attempts: 1 })
  expect(idsOf(await deliver(ada))).toEqual([`msg_${id.replaceAll('-', '')}`])
  expect(await takeDelivery(sql, { userId: ada.id, id }, 0)).toBeUndefined()
})

test('410 switches a webhook off with a notice, until it is saved again', async () => {
  const ada = await world.user()
  const { webhooks } = await add(ada, 'deposits')
  await ada.deposit('20')
  receiver.answerWith(410)
  await deliver(ada)
  expect(await kindsOf(ada)).toContain('webhook-off')
  expect(await ada.call('listWebhooks')).toMatchObject({
    webhooks: [{ isOn: false }],
    messages: [{ state: 'given-up', answer: 410 }],
  })
  receiver.answerWith(200)
  await ada.deposit('20')
  expect(await deliver(ada)).toEqual([])
  const body = { address: `${RECEIVER}/${ada.id}`, topics: ['deposits' as const], newSecret: false }
  const changed = await ada.call('updateWebhook', { params: { id: webhooks[0]?.id ?? '' }, body })
  expect(changed.webhooks).toMatchObject([{ isOn: true, failingSince: null }])
  await ada.deposit('20')
  expect(await deliver(ada)).toHaveLength(1)
})

test('a webhook that is switched off again notifies its owner again', async () => {
  const ada = await world.user()
  const { webhooks } = await add(ada, 'deposits')
  const params = { id: webhooks[0]?.id ?? '' }
  const body = { address: `${RECEIVER}/${ada.id}`, topics: ['deposits' as const], newSecret: false }
  receiver.answerWith(410)
  for (const times of [1, 2]) {
    await ada.deposit('20')
    await deliver(ada)
    const told = (await kindsOf(ada)).filter((kind) => kind === 'webhook-off')
    expect(told).toHaveLength(times)
    await ada.call('updateWebhook', { params, body })
  }
})

test('a user has at most thirty messages an hour sent again', async () => {
  const ada = await world.user()
  await add(ada, 'deposits')
  await ada.deposit('20')
  await deliver(ada)
  const params = { id: (await ada.call('listWebhooks')).messages[0]?.id ?? '' }
  for (let number = 0; number < 30; number += 1) await ada.call('resendWebhook', { params })
  const { status, body } = await ada.ask('resendWebhook', { params })
  expect([status, body.code]).toEqual([429, 'too-many-attempts'])
  const bob = await world.user()
  expect((await bob.ask('resendWebhook', { params })).status).toBe(404)
})

test('a webhook that fails for five days is switched off', async () => {
  const ada = await world.user()
  await add(ada, 'deposits')
  await ada.deposit('20')
  receiver.answerWith(503)
  await deliver(ada)
  expect((await ada.call('listWebhooks')).webhooks[0]?.isOn).toBe(true)
  await world.context.sql`update webhooks set failing_since = now() - interval '5 days 1 minute'
    where user_id = ${ada.id}`
  await makeDue(ada)
  await deliver(ada)
  expect((await ada.call('listWebhooks')).webhooks[0]?.isOn).toBe(false)
  expect(await kindsOf(ada)).toContain('webhook-off')
})

test('an answer that switches protocols is a failure, and ends the attempt', async () => {
  const ada = await world.user()
  await add(ada, 'deposits')
  receiver.answerWith('upgrade')
  await ada.deposit('500')
  expect(await deliver(ada)).toHaveLength(1)
  expect((await ada.call('listWebhooks')).messages).toMatchObject([
    { state: 'waiting', attempts: 1, answer: null },
  ])
})

test('an answer without end is not read', async () => {
  const ada = await world.user()
  await add(ada, 'deposits')
  await ada.deposit('20')
  receiver.answerWith('flood')
  await deliver(ada)
  expect((await ada.call('listWebhooks')).messages).toMatchObject([{ state: 'sent', answer: 200 }])
})

test('each change of a webhook is notified and audited; the sixth is refused', async () => {
  const ada = await world.user()
  const { webhooks } = await add(ada, 'deposits')
  const params = { id: webhooks[0]?.id ?? '' }
  const body = { address: `${RECEIVER}/y`, topics: ['bots' as const], newSecret: false }
  await ada.call('updateWebhook', { params, body })
  expect((await ada.call('removeWebhook', { params })).webhooks).toEqual([])
  expect((await kindsOf(ada)).slice(0, 3)).toEqual([
    'webhook-removed',
    'webhook-changed',
    'webhook-added',
  ])
  const events = await world.context.sql<{ change: string }[]>`
    select details ->> 'change' as change from audit_events where action = 'webhook.change'
       and subject = ${params.id} order by id`
  expect(events.map(({ change }) => change)).toEqual(['added', 'changed', 'removed'])
  for (let count = 0; count < 5; count += 1) await add(ada, 'bots')
  const sixth = { address: RECEIVER, topics: ['bots'] }
  expect((await ada.ask('addWebhook', { body: sixth })).body.code).toBe('too-many-webhooks')
})

test('"This was not me" removes all webhooks, which get no notice of it', async () => {
  const ada = await world.verified('webhooks@people.example')
  await add(ada, 'security')
  const mail = (await world.deliver()).find(({ subject }) => subject === 'Webhook added')
  await deliver(ada)
  await world.stranger().call('disown', { body: { token: tokenIn(mail) } })
  expect(await deliver(ada)).toEqual([])
  const left = await world.context.sql`select from webhooks where user_id = ${ada.id}`
  expect(left.count).toBe(0)
})

test('a new password by mail removes all webhooks', async () => {
  const ada = await world.verified('forgotten@people.example')
  await add(ada, 'security')
  await world.stranger().call('requestReset', { body: { account: 'forgotten@people.example' } })
  const mail = (await world.deliver()).find(({ subject }) => subject === 'Set a new password')
  await world
    .stranger()
    .call('resetPassword', { body: { token: tokenIn(mail), newPassword: 'another long password' } })
  const left = await world.context.sql`select from webhooks where user_id = ${ada.id}`
  expect(left.count).toBe(0)
})

test('closing the account removes its webhooks', async () => {
  const ada = await world.user()
  await add(ada, 'security')
  await ada.call('closeAccount')
  expect(await deliver(ada)).toEqual([])
  const left = await world.context.sql`select from webhooks where user_id = ${ada.id}`
  expect(left.count).toBe(0)
})
