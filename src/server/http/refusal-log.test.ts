import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { routes } from '#contract/routes.ts'
import { openConsole } from '#server/console/open-console.ts'
import { REFUSALS_PER_MINUTE } from './refusal-log.ts'
import { openServer } from '#server/server.ts'
import { createWorld, PASSWORD, proofRequest, type World } from '../../../test/world/world.ts'
import { closed } from '../../../test/attacks/connections.ts'

/** Every write of the log. */
let written: string[] = []
const log = pino(
  { level: 'info', base: null },
  { write: (text: string) => void written.push(text) },
)

let world: World
beforeAll(async () => {
  world = await createWorld({ config: { TRUST_PROXY: 1, LOGIN_ATTEMPTS: 3 }, context: { log } })
})
afterAll(() => world.close())

let addresses = 0
let from: string
beforeEach(() => {
  written = []
  from = `10.8.0.${(addresses += 1)}`
})

type Line = {
  level: number
  time: number
  msg: string
  code?: string
  method?: string
  path?: string
  user?: string
  address?: string
  leftOut?: number
}
const lines = (): Line[] => written.map((text) => JSON.parse(text) as Line)

type Asked = {
  method?: 'GET' | 'POST' | 'PATCH'
  url: string
  payload?: object
  headers?: Record<string, string>
  cookie?: string
}

const ask = ({ method = 'POST', url, payload, headers = {}, cookie = '' }: Asked) =>
  world.app.inject({
    method,
    url,
    headers: { 'sec-fetch-site': 'same-origin', 'x-forwarded-for': from, cookie, ...headers },
    ...(payload && { payload }),
  })

const DIGEST = /^[\w-]{16}$/

describe('a call that is refused', () => {
  test('the log has a digest of the address, and nothing that was typed', async () => {
    const typed = 'typed-by-mistake'
    await ask({
      url: routes.login.path,
      payload: { username: typed, password: 'my other password' },
    })
    await ask({ method: 'GET', url: `${routes.listBots.path}?${typed}=1` })
    await ask({ method: 'GET', url: '/metrics' })
    await ask({ url: '/api/webhooks/stripe', payload: { [typed]: 1 } })
    expect(lines().map(({ code, method, path }) => [code, method, path])).toEqual([
      ['wrong-credentials', 'POST', routes.login.path],
      ['not-signed-in', 'GET', routes.listBots.path],
      ['not-found', 'GET', '/metrics'],
      ['not-found', 'POST', '/api/webhooks/stripe'],
    ])
    for (const line of lines()) {
      expect(line).toEqual({
        level: 40,
        time: expect.any(Number) as number,
        code: line.code,
        method: line.method,
        path: line.path,
        address: expect.stringMatching(DIGEST) as string,
        msg: 'call refused',
      })
    }
    expect(new Set(lines().map(({ address }) => address)).size).toBe(1)
    expect(
      written.filter((text) =>
        [typed, 'my other password', from].some((word) => text.includes(word)),
      ),
    ).toEqual([])
  })

  test('any refusal of a signed-in user is logged with the user', async () => {
    const user = await world.user()
    const other = await world.user()
    const { cookie } = user
    const { id } = await other.call('addBankAccount', {
      body: {
        bankName: 'B',
        accountNumber: '000123456789',
        routingNumber: '021000021',
        accountType: 'checking',
      },
    })
    written = []
    await ask({ url: routes.makeBankAccountDefault.path.replace(':id', id), cookie })
    await ask({ url: routes.stopAll.path, cookie, headers: { 'sec-fetch-site': 'cross-site' } })
    const guess = proofRequest({
      action: 'requestWithdrawal',
      body: { amount: '10' },
      password: 'not the password',
    })
    for (let count = 0; count < 4; count += 1)
      await ask({ url: routes.makeProof.path, cookie, payload: guess })
    expect(lines().map(({ code, path, user: of }) => [code, path, of])).toEqual([
      ['not-found', routes.makeBankAccountDefault.path, user.id],
      ['cross-site', routes.stopAll.path, user.id],
      ...Array.from({ length: 3 }, () => ['wrong-password', routes.makeProof.path, user.id]),
      ['too-many-attempts', routes.makeProof.path, user.id],
    ])
  })

  test('a forged proof is logged, a missing one is not', async () => {
    const { cookie, id } = await world.user()
    const change = {
      method: 'PATCH',
      url: routes.updateProtections.path,
      cookie,
      payload: { delayHours: 24, allowedOnly: false },
    } as const
    await ask(change)
    expect(lines()).toEqual([])
    await ask({ ...change, headers: { proof: world.context.newId() } })
    expect(lines()).toMatchObject([{ code: 'proof-required', user: id }])
  })

  test('a refused call on the operators’ pages is logged too', async () => {
    const operators = await openConsole(world.context, world.app)
    await operators.inject({
      method: 'POST',
      url: '/users/somebody/freeze',
      payload: 'reason=typed',
      headers: {
        'sec-fetch-site': 'same-origin',
        'content-type': 'application/x-www-form-urlencoded',
      },
    })
    await operators.close()
    expect(lines()).toMatchObject([
      {
        code: 'operator-signed-out',
        method: 'POST',
        path: '/users/:name/freeze',
        msg: 'call refused',
      },
    ])
  })

  test('writes no row to the database', async () => {
    const rows = async () =>
      (
        await world.context
          .sql`select key from throttles union all select id::text from audit_events`
      ).length
    const before = await rows()
    await ask({ method: 'GET', url: routes.listBots.path })
    expect([lines().length, await rows()]).toEqual([1, before])
  })
})

test('bodies that callers cut off are logged as sparsely as other refusals', async () => {
  const app = await openServer(world.context, { pages: '/nonexistent' })
  const count = REFUSALS_PER_MINUTE.lines + 15
  let left = count
  const arrived = new Promise<void>((resolve) => {
    app.server.on('request', () => (left -= 1) === 0 && setImmediate(resolve))
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  written = []
  const { port } = app.server.address() as AddressInfo
  const head =
    `POST ${routes.login.path} HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: ` +
    `same-origin\r\nX-Forwarded-For: ${from}\r\nContent-Type: ` +
    `application/json\r\nContent-Length: 60\r\n\r\n{"user`
  const sockets = await Promise.all(
    Array.from({ length: count }, async () => {
      const socket = connect(port, '127.0.0.1')
      await once(socket, 'connect')
      socket.write(head)
      return socket
    }),
  )
  await arrived
  for (const socket of sockets) socket.destroy()
  await expect.poll(() => lines().length).toBe(REFUSALS_PER_MINUTE.lines)
  await app.close()
  expect(lines().map(({ msg }) => msg)).toEqual([
    ...Array.from({ length: REFUSALS_PER_MINUTE.lines }, () => 'call refused'),
    'more calls were refused',
  ])
  expect(lines().at(-1)).toMatchObject({ leftOut: 15 })
  expect(written.join('')).not.toContain('stack')
})

describe('a flood', () => {
  let app: FastifyInstance
  beforeEach(async () => {
    app = await openServer(world.context, { pages: '/nonexistent' })
    written = []
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  })
  afterEach(async () => {
    vi.useRealTimers()
    await app.close()
  })
  const refused = (address: string) =>
    app.inject({ url: routes.listBots.path, headers: { 'x-forwarded-for': address } })

  test('logs the first lines and the number of others, for each address and minute', async () => {
    for (let count = 0; count < REFUSALS_PER_MINUTE.lines + 25; count += 1) await refused(from)
    const flooded = lines()[0]?.address
    expect(lines()).toHaveLength(REFUSALS_PER_MINUTE.lines)
    await refused('10.8.1.1')
    expect(lines().at(-1)?.address).not.toBe(flooded)
    vi.advanceTimersByTime(60_000)
    expect(lines().slice(REFUSALS_PER_MINUTE.lines + 1)).toMatchObject([
      { msg: 'more calls were refused', address: flooded, leftOut: 25 },
    ])
    await refused(from)
    expect(lines().at(-1), 'the next minute').toMatchObject({
      code: 'not-signed-in',
      address: flooded,
    })
  })

  test('a flood from ever new addresses logs a limited number of lines', async () => {
    const { addresses: own, lines: each } = REFUSALS_PER_MINUTE
    for (let count = 0; count < own + each + 40; count += 1)
      await refused(`10.7.${count >> 8}.${count & 255}`)
    expect(lines()).toHaveLength(own + each)
    vi.useRealTimers()
    await app.close()
    expect(
      lines().slice(own + each),
      'the rest is counted at the latest when the server stops',
    ).toMatchObject([{ address: 'others', leftOut: 40 }])
  })
})

/** Texts that begin a new line, or steer a terminal. */
const FORGERIES = [
  '\r\n{"level":30,"msg":"call allowed"}',
  '\n{"level":30}',
  '\u001b[2K\u001b[1Gcall allowed',
  '\u009b2Kcall allowed',
  '\u2028{"level":30}',
]

describe('a line of the log cannot be forged', () => {
  test.each(FORGERIES)('%j in a field, an address or a header forges no line', async (forgery) => {
    await ask({
      url: routes.login.path,
      payload: { username: `ada${forgery}`, password: `${PASSWORD}${forgery}` },
    })
    await ask({
      method: 'GET',
      url: `${routes.listBots.path}/${encodeURIComponent(forgery)}`,
      headers: { 'user-agent': forgery, referer: forgery, 'x-request-id': forgery },
    })
    await ask({
      method: 'GET',
      url: routes.listBots.path,
      headers: { 'x-forwarded-for': forgery, 'accept-language': forgery, cookie: `sid=${forgery}` },
    })
    expect(written.length).toBeGreaterThanOrEqual(2)
    expectWholeLines()
  })

  test.each(FORGERIES)('%j in the raw request forges no line', async (forgery) => {
    const app = await openServer(world.context, { pages: '/nonexistent' })
    await app.listen({ host: '127.0.0.1', port: 0 })
    written = []
    const { port } = app.server.address() as AddressInfo
    for (const text of [
      `GET /api/bots HTTP/1.1\r\nHost: localhost\r\nUser-Agent: a${forgery}\r\n`,
      `GET /api/bots${forgery} HTTP/1.1\r\nHost: localhost\r\n`,
      `GET /api/bots HTTP/1.1\r\nHost: localhost${forgery}\r\n`,
    ]) {
      const socket = connect(port, '127.0.0.1', () =>
        socket.end(`${text}Connection: close\r\n\r\n`),
      ).resume()
      await closed(socket)
    }
    const fine = connect(port, '127.0.0.1', () =>
      fine.end('GET /api/bots HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'),
    ).resume()
    await closed(fine)
    await app.close()
    expect(written.length).toBeGreaterThanOrEqual(1)
    expectWholeLines()
  })

  test.each(FORGERIES)('%j in the message of an error forges no line', (forgery) => {
    log.error({ err: new Error(`lost ${forgery}`), detail: forgery }, `a job failed: ${forgery}`)
    expect(lines()).toMatchObject([{ level: 50, msg: `a job failed: ${forgery}` }])
    expect(written[0]?.trimEnd().split('\n')).toHaveLength(1)
  })
})

/**
 * Each write is one line of JSON that our code wrote, without any character that steers a terminal.
 */
function expectWholeLines(): void {
  for (const text of written) {
    expect(text.replace(/\n$/, '')).not.toMatch(/[\p{Cc}\u2028\u2029]/u)
    expect(['call refused', 'more calls were refused', 'request failed']).toContain(
      (JSON.parse(text) as Line).msg,
    )
    expect(text).not.toContain('call allowed')
  }
}
