import { once } from 'node:events'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { FastifyInstance } from 'fastify'
import { plainRoutes } from '#contract/plain-routes.ts'
import { routes } from '#contract/routes.ts'
import type { Config } from '#server/settings/config.ts'
import { networkOf } from '#server/http/caps.ts'
import { contentSecurityOf } from '#server/http/security-headers.ts'
import { endOutlived } from '#server/http/stream-events.ts'
import { openServer } from '#server/server.ts'
import { resetThrottles } from '../world/reset-throttles.ts'
import { createWorld, type TestUser, type World } from '../world/world.ts'
import { closed } from './connections.ts'

const SITE = 'https://bots.example'
const LOGIN = {
  method: 'POST',
  url: routes.login.path,
  payload: { username: 'nobody', password: 'a long password' },
} as const

let world: World
let ada: TestUser
const opened: FastifyInstance[] = []
beforeAll(async () => {
  world = await createWorld()
  ada = await world.user('ada')
})
// Each server listens to the database on a connection of its own.
afterEach(async () => {
  for (const app of opened.splice(0)) await app.close()
})
afterAll(() => world.close())

/** Another server of the same book, with other settings. */
async function serverWith(
  config: Partial<Config>,
  requestWithinMs?: number,
): Promise<FastifyInstance> {
  const app = await openServer(
    { ...world.context, config: { ...world.context.config, ...config } },
    { pages: '/nonexistent', ...(requestWithinMs !== undefined && { requestWithinMs }) },
  )
  opened.push(app)
  return app
}

async function portOf(app: FastifyInstance): Promise<number> {
  if (!app.server.listening) await app.listen({ host: '127.0.0.1', port: 0 })
  return (app.server.address() as AddressInfo).port
}

describe('a host', () => {
  test.each([
    ['our own', { host: 'bots.example' }, 200],
    ['our own with its port', { host: 'bots.example:443' }, 200],
    ['in capitals', { host: 'BOTS.example' }, 200],
    ['another', { host: 'evil.example' }, 421],
    ['ours as a part', { host: 'bots.example.evil.example' }, 421],
    ['another port', { host: 'bots.example:8443' }, 421],
    ['not a host', { host: 'bots.example/@evil' }, 421],
  ])('a host that is %s is answered with %j: %d', async (_which, headers, status) => {
    const app = await serverWith({ PUBLIC_URL: SITE })
    expect((await app.inject({ url: routes.getConfig.path, headers })).statusCode).toBe(status)
    expect(
      (await app.inject({ url: '/health', headers: { host: '127.0.0.1' } })).statusCode,
      'monitors',
    ).toBe(200)
  })

  test("a host is read from a trusted proxy's header, and from no other client's", async () => {
    const ask = async (config: Partial<Config>, headers: Record<string, string>) =>
      (
        await (
          await serverWith({ PUBLIC_URL: SITE, ...config })
        ).inject({ url: routes.getConfig.path, headers })
      ).statusCode
    expect(
      await ask({ TRUST_PROXY: 1 }, { host: '10.0.0.7', 'x-forwarded-host': 'bots.example' }),
    ).toBe(200)
    expect(
      await ask(
        { TRUST_PROXY: ['10.9.0.0/16'] },
        { host: '10.0.0.7', 'x-forwarded-host': 'bots.example' },
      ),
    ).toBe(421)
    expect(
      await ask({ TRUST_PROXY: 1 }, { host: 'bots.example', 'x-forwarded-host': 'evil.example' }),
    ).toBe(421)
  })

  test('may be given only once', async () => {
    const port = await portOf(await serverWith({}))
    expect(
      await statusOf(
        port,
        'GET /api/config HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\nConnection: ' +
          'close\r\n\r\n',
      ),
    ).toBe(421)
    expect(
      await statusOf(
        port,
        'GET /api/config HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
      ),
    ).toBe(200)
  })
})

async function statusOf(port: number, text: string): Promise<number> {
  const socket = connect(port, '127.0.0.1')
  socket.write(text)
  const [chunk] = (await once(socket, 'data')) as [Buffer]
  socket.destroy()
  return Number(chunk.toString().split(' ')[1])
}

test("the client's address is the one reported by the trusted proxies", async () => {
  const attempts = async (
    TRUST_PROXY: Config['TRUST_PROXY'],
    forwarded: (index: number) => string,
    remoteAddress = '127.0.0.1',
  ) => {
    const app = await serverWith({ PUBLIC_URL: SITE, TRUST_PROXY, LOGIN_ATTEMPTS: 1 })
    const headers = (index: number) => ({
      host: 'bots.example',
      'sec-fetch-site': 'same-origin',
      'x-forwarded-for': forwarded(index),
    })
    const statuses: number[] = []
    for (let index = 0; index < 3; index += 1)
      statuses.push(
        (await app.inject({ ...LOGIN, remoteAddress, headers: headers(index) })).statusCode,
      )
    await resetThrottles(world.context.sql)
    await app.close()
    return statuses
  }
  expect(
    await attempts(1, (index) => `10.7.7.${index}, 10.1.1.1`),
    'one proxy wrote the last',
  ).toEqual([401, 429, 429])
  expect(await attempts(1, (index) => `10.1.1.1, 10.7.7.${index}`)).toEqual([401, 401, 401])
  for (const peer of ['203.0.113.7', '2001:db8::9', '::ffff:203.0.113.7'])
    expect(
      await attempts(1, (index) => `10.7.7.${index}`, peer),
      `${peer} is past the proxy`,
    ).toEqual([401, 429, 429])
  for (const peer of ['172.18.0.2', 'fd00::2', '::ffff:10.1.1.1'])
    expect(await attempts(1, (index) => `10.7.7.${index}`, peer)).toEqual([401, 401, 401])
  expect(
    await attempts(['203.0.113.0/24'], (index) => `10.7.7.${index}`, '203.0.113.7'),
    'a network',
  ).toEqual([401, 401, 401])
  expect(await attempts(undefined, (index) => `10.7.7.${index}`), 'no proxy').toEqual([
    401, 429, 429,
  ])
})

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
  ['2001:0db8:0001:0002::9', '2001:db8:1:2::/64'],
  ['2001:db8::9', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['', ''],
])('the address %s is counted as %s', (address, network) =>
  expect(networkOf(address)).toBe(network),
)

test('every response restricts browsers, the stream too; over TLS it requires TLS', async () => {
  const port = await portOf(world.app)
  const gone = new AbortController()
  const stream = await fetch(`http://127.0.0.1:${port}${plainRoutes.events}`, {
    signal: gone.signal,
  })
  const names = [
    'content-security-policy',
    'cross-origin-resource-policy',
    'permissions-policy',
    'x-content-type-options',
    'x-frame-options',
  ]
  expect(names.filter((name) => stream.headers.get(name) === null)).toEqual([])
  expect([
    stream.headers.get('content-type'),
    stream.headers.get('strict-transport-security'),
  ]).toEqual(['text/event-stream', null])
  gone.abort()
  const secure = await serverWith({ PUBLIC_URL: SITE })
  for (const url of ['/', '/api/config', '/api/nothing', '/health']) {
    expect(
      (await secure.inject({ url, headers: { host: 'bots.example' } })).headers[
        'strict-transport-security'
      ],
      `at ${url}`,
    ).toBe('max-age=31536000; includeSubDomains')
  }
  expect([
    contentSecurityOf('/deposit/', 'stripe'),
    contentSecurityOf('/deposit/?a=1', 'stripe'),
  ]).toEqual(Array(2).fill(contentSecurityOf('/deposit', 'stripe')))
  expect(contentSecurityOf('/deposits', 'stripe')).toBe(contentSecurityOf('/', 'none'))
})

describe('metrics', () => {
  const TOKEN = 'a-token-of-some-length'
  const ask = async (
    url: string,
    {
      config = {},
      headers = {},
      remoteAddress = '127.0.0.1',
    }: { config?: Partial<Config>; headers?: Record<string, string>; remoteAddress?: string },
  ) => {
    const answer = await (
      await serverWith(config)
    ).inject({ url, headers: { host: 'bots.example', ...headers }, remoteAddress })
    return { status: answer.statusCode, body: answer.body }
  }

  test.each<[who: string, mayRead: boolean, asked: Parameters<typeof ask>[1]]>([
    ['on this machine', true, {}],
    ['elsewhere', false, { remoteAddress: '203.0.113.7' }],
    [
      'elsewhere, with the token',
      true,
      {
        remoteAddress: '203.0.113.7',
        config: { MONITOR_TOKEN: TOKEN },
        headers: { authorization: `Bearer ${TOKEN}` },
      },
    ],
    [
      'elsewhere, with another token',
      false,
      {
        remoteAddress: '203.0.113.7',
        config: { MONITOR_TOKEN: TOKEN },
        headers: { authorization: 'Bearer another' },
      },
    ],
    [
      'elsewhere, with no token where none is set',
      false,
      { remoteAddress: '203.0.113.7', headers: { authorization: 'Bearer ' } },
    ],
    [
      'behind a proxy on this machine',
      false,
      {
        config: { PUBLIC_URL: SITE, TRUST_PROXY: 1 },
        headers: { 'x-forwarded-for': '203.0.113.7' },
      },
    ],
    [
      'behind a proxy that was not announced',
      false,
      { headers: { 'x-forwarded-for': '127.0.0.1' } },
    ],
  ])('metrics are shown to a reader %s: %s', async (_who, mayRead, asked) => {
    const [health, metrics] = [await ask('/health', asked), await ask('/metrics', asked)]
    expect([health.status, metrics.status]).toEqual([200, mayRead ? 200 : 404])
    expect(Object.keys(JSON.parse(health.body) as object).length > 2).toBe(mayRead)
  })
})

describe('an event stream', () => {
  async function listen(cookie: string) {
    const answer = await fetch(`http://127.0.0.1:${await portOf(world.app)}${plainRoutes.events}`, {
      headers: { cookie },
    })
    const reader = answer.body?.getReader()
    const ended = (async () => {
      for (;;) if ((await reader?.read())?.done !== false) return true
    })()
    return { status: answer.status, ended }
  }

  test('ends when its session signs out; signing out with a forged cookie ends none', async () => {
    const user = await world.user()
    const { ended } = await listen(user.cookie)
    const forged = { ...user, cookie: `sid=${user.id}.${'x'.repeat(43)}` }
    await world.app.inject({
      method: 'POST',
      url: routes.logout.path,
      headers: { 'sec-fetch-site': 'same-origin', cookie: forged.cookie },
    })
    expect(await user.call('getUser')).toMatchObject({ id: user.id })
    await user.call('logout')
    expect(await ended).toBe(true)
  })

  test('ends once its session is over, without an event', async () => {
    const [over, living] = [await world.user(), await world.user()]
    const sessions = await world.context.sql<
      { id: string; userId: string }[]
    >`select id, user_id from sessions where user_id in (${over.id}, ${living.id})`
    await world.context.sql`update sessions set expires_at = now() where user_id = ${over.id}`
    const ended: string[] = []
    await endOutlived(world.context, {
      sessions: () => [...sessions],
      end: (ids) => void ended.push(...ids),
    })
    expect(ended).toEqual(sessions.filter(({ userId }) => userId === over.id).map(({ id }) => id))
  })

  test('at most twenty event streams are open from one address without a session', async () => {
    const port = await portOf(world.app)
    const gone = new AbortController()
    const statuses: number[] = []
    for (let count = 0; count < 22; count += 1)
      statuses.push(
        (await fetch(`http://127.0.0.1:${port}${plainRoutes.events}`, { signal: gone.signal }))
          .status,
      )
    const own = await fetch(`http://127.0.0.1:${port}${plainRoutes.events}`, {
      signal: gone.signal,
      headers: { cookie: ada.cookie },
    })
    gone.abort()
    expect([statuses.filter((status) => status === 200).length, own.status]).toEqual([20, 200])
  })
})

test('a request whose body never ends is closed', async () => {
  const port = await portOf(await serverWith({}, 500))
  const socket = connect(port, '127.0.0.1')
  socket.write(
    'POST /api/auth/login HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: ' +
      'same-origin\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n{',
  )
  const dripping = setInterval(() => socket.writable && socket.write(' '), 50)
  await closed(socket.resume())
  clearInterval(dripping)
  expect(socket.destroyed).toBe(true)
})

test('one address can open a limited number of sockets; closing one allows another', async () => {
  const port = await portOf(await serverWith({}))
  const open = async () => {
    const socket = connect(port, '127.0.0.1')
    socket.write('GET /api/config HTTP/1.1\r\nHost: localhost\r\n\r\n')
    const isServed = await Promise.race([
      new Promise<boolean>((resolve) => socket.once('data', () => resolve(true))),
      closed(socket).then(() => false),
    ])
    return { socket, isServed }
  }
  const sockets: { socket: Socket; isServed: boolean }[] = []
  for (let opened = 0; opened < 500; opened += 50)
    sockets.push(...(await Promise.all(Array.from({ length: 50 }, open))))
  sockets.push(await open(), await open())
  expect(sockets.filter(({ isServed }) => isServed)).toHaveLength(500)
  sockets[0]?.socket.destroy()
  await expect
    .poll(async () => {
      const { socket, isServed } = await open()
      socket.destroy()
      return isServed
    })
    .toBe(true)
  for (const { socket } of sockets) socket.destroy()
})

test('unfinished and aborted bodies do not block others at the same address', async () => {
  const app = await serverWith({ ACTIONS_PER_ADDRESS: 4 })
  const port = await portOf(app)
  const head =
    `POST ${routes.login.path} HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: ` +
    `same-origin\r\nContent-Type: application/json\r\nContent-Length: 60\r\n\r\n{"user`
  const sockets = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const socket = connect(port, '127.0.0.1')
      await once(socket, 'connect')
      socket.write(head)
      return socket
    }),
  )
  const neighbour = async () =>
    (
      await fetch(`http://127.0.0.1:${port}${routes.login.path}`, {
        method: 'POST',
        body: JSON.stringify(LOGIN.payload),
        headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
      })
    ).status
  expect(await neighbour()).toBe(401)
  for (const socket of sockets) socket.destroy()
  expect(await Promise.all([neighbour(), neighbour()])).toEqual([401, 401])
})

test('one address may have a limited number of changes under way; reads continue', async () => {
  const app = await serverWith({ ACTIONS_PER_ADDRESS: 4 })
  const post = (remoteAddress: string) =>
    app.inject({ ...LOGIN, remoteAddress, headers: { 'sec-fetch-site': 'same-origin' } })
  const flood = Promise.all(Array.from({ length: 10 }, () => post('10.0.0.1')))
  const [other, read] = await Promise.all([
    post('10.0.0.2'),
    app.inject({ url: routes.getConfig.path, remoteAddress: '10.0.0.1' }),
  ])
  const answers = await flood
  expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([
    401, 401, 401, 401, 503, 503, 503, 503, 503, 503,
  ])
  expect(answers.find(({ statusCode }) => statusCode === 503)).toMatchObject({
    headers: { 'retry-after': '1' },
  })
  expect([other.statusCode, read.statusCode]).toEqual([401, 200])
  expect((await post('10.0.0.1')).statusCode).toBe(401)
})
