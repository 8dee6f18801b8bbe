import { createECDH, createPublicKey, verify } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Config } from '#server/settings/config.ts'
import { findRefusals } from '#server/notices/delivery-store.ts'
import { deliverNotices } from '#server/notices/deliver.ts'
import { webPushes } from '#server/notices/push-web.ts'
import {
  decrypt,
  PUSH_HOST,
  startPushService,
  type PushService,
} from '../emulators/push-service.ts'
import { createWorld, SETTINGS, type TestUser, type World } from '../world/world.ts'

let world: World
let service: PushService
beforeAll(async () => {
  service = await startPushService()
  const push = webPushes({
    secret: SETTINGS.SESSION_SECRET,
    contact: 'mailto:operator@bots.example',
    services: [PUSH_HOST],
    agent: service.agent,
  })
  world = await createWorld({ config: { LOGIN_ATTEMPTS: 100_000 }, context: { push } })
})
afterAll(async () => {
  await world.close()
  await service.close()
})

async function deliver() {
  const before = service.received.length
  await deliverNotices(world.context, 'push')
  return service.received.slice(before)
}

async function subscribed(user: TestUser) {
  const { end, ...browser } = service.browser()
  const { devices } = await user.call('addPushDevice', { body: browser })
  return { end, path: new URL(browser.endpoint).pathname, id: devices.at(-1)?.id ?? '' }
}

test('a notice reaches each of the user’s browsers, encrypted, without the amount', async () => {
  const [ada, eve] = [await world.user(), await world.user()]
  const browsers = [await subscribed(ada), await subscribed(ada)]
  await subscribed(eve)
  await ada.deposit('500')
  const pushes = await deliver()
  expect(pushes.map(({ path }) => path).toSorted()).toEqual(
    browsers.map(({ path }) => path).toSorted(),
  )
  const [notice] = (await ada.call('listNotices')).items
  const receipt = notice?.details['transactionId']
  expect(pushes[0]?.message).toEqual({
    title: 'Deposit received',
    text: 'Your deposit was added to your balance.',
    lang: 'en',
    tag: notice?.id,
    path: `/history?receipt=${receipt}`,
  })
  expect(pushes[0]?.topic).toBe(notice?.id.replaceAll('-', ''))
  expect(pushes[0]?.topic).toHaveLength(32)
  expect(await deliver()).toEqual([])
})

test('a push message contains amounts if the user chose so', async () => {
  const ada = await world.user()
  await subscribed(ada)
  expect(await ada.call('updateNoticeSettings', { body: { pushAmounts: true } })).toMatchObject({
    pushAmounts: true,
  })
  await ada.deposit('500')
  expect((await deliver())[0]?.message.text).toBe('$500.00 was added to your balance.')
})

test('a browser that ended its subscription is removed with its messages', async () => {
  const ada = await world.user()
  const [gone, here] = [await subscribed(ada), await subscribed(ada)]
  gone.end()
  await ada.deposit('500')
  expect((await deliver()).map(({ path }) => path)).toEqual([here.path])
  expect((await ada.call('getNoticeSettings')).devices.map(({ id }) => id)).toEqual([here.id])
  const states = await world.context.sql<
    { state: string }[]
  >`select state from deliveries where user_id = ${ada.id} and channel = 'push' order by state`
  expect(states.map(({ state }) => state)).toEqual(['given-up', 'sent'])
})

type Row = { state: string; waitsAnHour: boolean; refused: string | null }

/** Answers other than 404 and 410, after which the subscription must stay. */
const ANSWERS: readonly [status: number, headers: Record<string, string>, row: Partial<Row>][] = [
  [400, {}, { state: 'waiting', refused: `400 of ${PUSH_HOST}` }],
  [401, {}, { state: 'waiting', refused: `401 of ${PUSH_HOST}` }],
  [403, {}, { state: 'waiting', refused: `403 of ${PUSH_HOST}` }],
  [405, {}, { state: 'waiting', refused: `405 of ${PUSH_HOST}` }],
  [406, {}, { state: 'waiting', waitsAnHour: false }],
  [413, {}, { state: 'given-up' }],
  [429, { 'retry-after': '7200' }, { state: 'waiting', waitsAnHour: true }],
  [500, {}, { state: 'waiting', waitsAnHour: false }],
  [502, {}, { state: 'waiting', waitsAnHour: false }],
  [503, { 'retry-after': '7200' }, { state: 'waiting', waitsAnHour: true }],
  [204, {}, { state: 'waiting' }],
  [301, { location: 'https://127.0.0.1/' }, { state: 'waiting' }],
  [402, {}, { state: 'waiting' }],
  [418, {}, { state: 'waiting' }],
  [507, {}, { state: 'waiting' }],
]

test.each(ANSWERS)(
  'after the answer %d %j the device is kept: %j',
  async (status, headers, expected) => {
    const ada = await world.user()
    const { id } = await subscribed(ada)
    await ada.deposit('500')
    service.answerWith(status, headers)
    expect(await deliver()).toEqual([])
    service.answerWith()
    const { sql } = world.context
    const [row] = await sql<Row[]>`
    select state, due_at > now() + interval '1 hour' as waits_an_hour,
           details ->> 'refused' as refused
      from deliveries where user_id = ${ada.id} and channel = 'push'`
    expect(row).toMatchObject({ refused: null, ...expected })
    expect((await ada.call('getNoticeSettings')).devices.map((device) => device.id)).toEqual([id])
    await sql`update deliveries set due_at = now() where user_id = ${ada.id}`
    expect(await deliver()).toHaveLength(row?.state === 'waiting' ? 1 : 0)
    expect(await findRefusals(sql)).toEqual([])
  },
)

test('doctor reports answers that reject our request until the messages are sent', async () => {
  const ada = await world.user()
  await subscribed(ada)
  await ada.deposit('500')
  service.answerWith(403)
  await deliver()
  service.answerWith()
  const { sql } = world.context
  expect(await findRefusals(sql)).toEqual([{ answer: `403 of ${PUSH_HOST}`, count: 1 }])
  await sql`update deliveries set due_at = now() where user_id = ${ada.id}`
  await deliver()
  expect(await findRefusals(sql)).toEqual([])
})

test("the test's own decoder reads the example of RFC 8291, section 5", () => {
  const curve = createECDH('prime256v1')
  curve.setPrivateKey(Buffer.from('q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94', 'base64url'))
  const auth = Buffer.from('BTBZMqHH6r4Tts7J_aSIgg', 'base64url')
  const body =
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS' +
    '6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qu' +
    'lcy4a-fN'
  expect(decrypt(Buffer.from(body, 'base64url'), { curve, auth })).toBe(
    'When I grow up, I want to be a watermelon',
  )
})

test('no push is offered without a contact that push services can reach', async () => {
  const offered = async (config: Partial<Config>) => {
    const other = await createWorld({ config })
    const user = await other.user()
    const { pushKey } = await user.call('getNoticeSettings')
    const { end: _end, ...browser } = service.browser()
    const { code } = (await user.ask('addPushDevice', { body: browser })).body
    await other.close()
    return { isOffered: pushKey !== null, code, sends: other.context.push.send !== undefined }
  }
  const refused = { isOffered: false, code: 'push-invalid', sends: false }
  expect(await offered({ SECURITY_CONTACT: undefined })).toEqual(refused)
  const local = { SECURITY_CONTACT: undefined, PUBLIC_URL: 'https://localhost' }
  expect(await offered(local)).toEqual(refused)
  expect(await offered({ SUPPORT: 'help@bots-operator.com' })).toMatchObject({
    isOffered: true,
    sends: true,
  })
})

test('messages are signed with the key browsers receive, derived from the secret', async () => {
  const ada = await world.user()
  await subscribed(ada)
  await ada.deposit('500')
  const [push] = await deliver()
  const [, token = '', key = ''] = /^vapid t=([^,]+), k=(.+)$/.exec(push?.authorization ?? '') ?? []
  expect(key).toBe((await ada.call('getNoticeSettings')).pushKey)
  const point = Buffer.from(key, 'base64url')
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  }
  const [head, claims, signature = ''] = token.split('.')
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  expect(isSigned).toBe(true)
  const keyOf = (secret: string) =>
    webPushes({ secret, contact: 'mailto:x@y.example', services: [] }).publicKey
  expect(keyOf(SETTINGS.SESSION_SECRET)).toBe(key)
  expect(keyOf('y'.repeat(32))).not.toBe(key)
})

test('only its owner can remove a browser, which then gets no messages', async () => {
  const [ada, eve] = [await world.user(), await world.user()]
  const { id } = await subscribed(ada)
  expect((await eve.ask('removePushDevice', { params: { id } })).status).toBe(404)
  expect((await ada.call('removePushDevice', { params: { id } })).devices).toEqual([])
  await ada.deposit('500')
  expect(await deliver()).toEqual([])
})

test('a user has at most 20 browsers', async () => {
  const ada = await world.user()
  for (let count = 0; count < 20; count += 1) await subscribed(ada)
  const { end: _end, ...browser } = service.browser()
  expect((await ada.ask('addPushDevice', { body: browser })).body.code).toBe(
    'too-many-push-devices',
  )
})
