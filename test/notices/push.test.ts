import { createPublicKey, verify } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deliverNotices } from '#server/notices/deliver.ts'
import { webPushes } from '#server/notices/push-web.ts'
import { PUSH_HOST, startPushService, type PushService } from '../emulators/push-service.ts'
import { createWorld, SETTINGS, type TestUser, type World } from '../world.ts'

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

test('it contains amounts if the user chose so', async () => {
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

test('a busy push service gets the message later', async () => {
  const ada = await world.user()
  await subscribed(ada)
  await ada.deposit('500')
  service.setBusy(true)
  expect(await deliver()).toEqual([])
  service.setBusy(false)
  await world.context.sql`update deliveries set due_at = now() where user_id = ${ada.id}`
  expect(await deliver()).toHaveLength(1)
})

test('it is signed with the key that browsers receive, derived from the secret', async () => {
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

test('a browser is removed by its owner alone, and is then sent nothing', async () => {
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
