import dns from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { EventEmitter, once } from 'node:events'
import { Agent } from 'node:https'
import { parse } from 'node:url'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import type { RouteName } from '#contract/routes.ts'
import { httpsWebhooks } from '#server/notices/webhook-https.ts'
import { webPushes } from '#server/notices/push-web.ts'
import { isPublicAddress, PublicAgent, type Resolve } from '#server/kernel/public-network.ts'
import { watchConnections } from './connections.ts'
import { startPushService, type PushService } from '../emulators/push-service.ts'
import { hostileAddresses, PRIVATE_ANSWERS } from './hostile-addresses.ts'
import { createWorld, PASSWORD, SETTINGS, type World } from '../world/world.ts'

const SERVICE = 'fcm.googleapis.com'
const ADDRESSES = hostileAddresses(SERVICE)
const DATABASE_PORT = Number(new URL(inject('postgresUrl')).port)

/** Addresses that the resolver answers in turn. */
let answers: readonly string[] = PRIVATE_ANSWERS
let looked = 0
const resolve: Resolve = async () => [answers[(looked += 1) % answers.length] ?? '']
const pushesBy = (agent: Agent) =>
  webPushes({
    secret: SETTINGS.SESSION_SECRET,
    contact: 'mailto:operator@bots.example',
    services: [SERVICE, 'push.apple.com'],
    agent,
  })

let world: World
let service: PushService
beforeAll(async () => {
  service = await startPushService()
  world = await createWorld({
    config: { LOGIN_ATTEMPTS: 100_000 },
    context: { push: pushesBy(new PublicAgent(resolve)) },
  })
})
afterAll(async () => {
  await world.close()
  await service.close()
})

/** Addresses to which the process connects during `work`. */
async function connectionsOf(work: () => Promise<unknown>): Promise<string[]> {
  const { attempts, end } = watchConnections({ except: DATABASE_PORT })
  try {
    await work()
  } finally {
    end()
  }
  return attempts
}

function message(endpoint: string) {
  const { end: _end, endpoint: _endpoint, ...keys } = service.browser()
  return { endpoint, ...keys, topic: 'x', payload: '{}' }
}

test('there are more than 200 hostile addresses', () => {
  expect(ADDRESSES.length).toBeGreaterThan(200)
})

test('a push subscription at a hostile address is refused, or reaches its service', async () => {
  const ada = await world.user()
  let refused = 0
  for (const endpoint of ADDRESSES) {
    const { end: _end, ...browser } = service.browser()
    const { status, body } = await ada.ask('addPushDevice', { body: { ...browser, endpoint } })
    if (status >= 400) {
      expect([
        endpoint,
        [400, 422].includes(status),
        body.code !== 'too-many-push-devices',
      ]).toEqual([endpoint, true, true])
      refused += 1
      continue
    }
    const [stored] = await world.context.sql<
      { id: string; endpoint: string }[]
    >`select id, endpoint from push_subscriptions where user_id = ${ada.id} and ended_at is null`
    const at = stored?.endpoint ?? ''
    const hosts = [new URL(at).hostname, parse(at).hostname, parse(at).host]
    expect([
      endpoint,
      hosts.every((host) => host === SERVICE || host?.endsWith(`.${SERVICE}`)),
    ]).toEqual([endpoint, true])
    await ada.call('removePushDevice', { params: { id: stored?.id ?? '' } })
  }
  expect(refused, 'of those that another parser would read as another host').toBeGreaterThan(180)
})

test('whatever address is stored, nothing is sent into a private network', async () => {
  answers = PRIVATE_ANSWERS
  const outcomes = new Map<string, string>()
  const attempts = await connectionsOf(async () => {
    for (const endpoint of ADDRESSES) outcomes.set(endpoint, await outcomeOf(endpoint))
    for (const answer of PRIVATE_ANSWERS)
      outcomes.set(`answer ${answer}`, await outcomeOf(`https://${SERVICE}/x`))
  })
  expect(attempts).toEqual([])
  expect([...outcomes].filter(([, outcome]) => outcome === 'sent')).toEqual([])
  const named = [...outcomes]
    .filter(([name]) => name.startsWith('answer'))
    .map(([, outcome]) => outcome)
  expect(new Set(named)).toEqual(
    new Set([`${SERVICE} does not lead to the public internet: nothing is sent there.`]),
  )
})

async function outcomeOf(endpoint: string): Promise<string> {
  return (
    world.context.push
      .send?.(message(endpoint))
      .catch((error: unknown) => (error instanceof Error ? error.message : '')) ?? ''
  )
}

test('an unchecked agent would have connected; ours refuses partly private names', async () => {
  answers = ['127.0.0.1']
  const unchecked = pushesBy(
    new Agent({
      lookup: (_hostname, options, callback) =>
        options.all
          ? callback(null, [{ address: '127.0.0.1', family: 4 }])
          : callback(null, '127.0.0.1', 4),
    }),
  )
  expect(
    await connectionsOf(async () =>
      unchecked.send?.(message(`https://${SERVICE}/x`)).catch(() => undefined),
    ),
  ).toEqual(['127.0.0.1:443'])
  const mixed = pushesBy(new PublicAgent(async () => ['8.8.8.8', '127.0.0.1']))
  expect(
    await connectionsOf(async () =>
      mixed.send?.(message(`https://${SERVICE}/x`)).catch(() => undefined),
    ),
  ).toEqual([])
})

test('names are looked up at name servers, for IPv4 and IPv6, not in file threads', async () => {
  const asked: string[] = []
  const ask = (family: 'resolve4' | 'resolve6', answer: string[]) =>
    vi.spyOn(Resolver.prototype, family).mockImplementation(async (name: string) => {
      asked.push(`${family} ${name}`)
      return answer
    })
  const spies = [ask('resolve4', ['8.8.8.8']), ask('resolve6', ['::1'])]
  const lookup = vi.spyOn(dns, 'lookup')
  const attempts = await connectionsOf(async () => {
    const socket = new PublicAgent().createConnection({ host: SERVICE, port: 443 }, () => undefined)
    const [error] = (await once(socket ?? new EventEmitter(), 'error')) as [Error]
    expect(error.message).toContain('does not lead to the public internet')
  })
  expect([attempts, lookup.mock.calls]).toEqual([[], []])
  expect(asked).toEqual([`resolve4 ${SERVICE}`, `resolve6 ${SERVICE}`])
  for (const spy of [...spies, lookup]) spy.mockRestore()
})

test('an IP address in place of a name is checked too', async () => {
  for (const host of ['127.0.0.1', '::1', '::ffff:10.0.0.1', '169.254.169.254']) {
    expect(() => new PublicAgent(resolve).createConnection({ host, port: 443 })).toThrow(
      'does not lead to the public internet',
    )
  }
})

test.each(PRIVATE_ANSWERS)('%j is not an address of the public internet', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})

test.each([
  '8.8.8.8',
  '142.250.74.106',
  '100.63.255.255',
  '172.32.0.1',
  '2a00:1450:4001:82a::200a',
  '2620:149:af0::10',
  '64:ff9b::8.8.8.8',
  '::ffff:8.8.8.8',
])('%s is an address of the public internet', (address) => {
  expect(isPublicAddress(address)).toBe(true)
})

const webhooks = httpsWebhooks({ agent: new PublicAgent(resolve), timeoutMs: 2_000 })
const REQUEST = { headers: {}, body: '{}' }

test.each([
  'http://hooks.bots-receiver.com/',
  'https://hooks.bots-receiver.com:8443/',
  'https://ada:secret@hooks.bots-receiver.com/',
  'https://hooks.bots-receiver.com/#x',
  'https://hooks.bots-receiver.local/',
  'https://hooks/',
  'ftp://hooks.bots-receiver.com/',
  'javascript:alert(1)',
  'file:///etc/passwd',
  '//hooks.bots-receiver.com/',
])('a webhook at %s is refused', (address) => expect(webhooks.addressOf(address)).toBeUndefined())

test('a hostile webhook address is refused, or both parsers read the same host in it', () => {
  for (const given of ADDRESSES) {
    const address = webhooks.addressOf(given)
    if (address === undefined) continue
    const { hostname, port, username } = new URL(address)
    expect([given, hostname, port, username]).toEqual([given, parse(address).hostname, '', ''])
    expect([given, /\.[a-z][a-z0-9-]+$/.test(hostname)]).toEqual([given, true])
  }
})

test('no webhook connects to a private network, whatever its name resolves to', async () => {
  answers = PRIVATE_ANSWERS
  const attempts = await connectionsOf(async () => {
    const named = PRIVATE_ANSWERS.map((answer) => `https://hooks.bots-receiver.com/${answer}`)
    for (const address of [...ADDRESSES, ...named])
      expect(await webhooks.send?.({ address, ...REQUEST })).toEqual({ status: null })
  })
  expect(attempts).toEqual([])
})

/** The other texts that are, hold or begin an address, each with the rest of a good body. */
const OTHER_FIELDS: readonly [RouteName, string, object][] = [
  ['changeEmail', 'email', { currentPassword: PASSWORD }],
  ['requestReset', 'account', {}],
  [
    'verifyWallet',
    'message',
    {
      walletAddress: `0x${'0'.repeat(40)}`,
      signature: '0x00',
      walletType: 'metamask',
      chainId: 1,
      chainName: 'Ethereum',
    },
  ],
  [
    'verifyWallet',
    'walletAddress',
    { message: 'x', signature: '0x00', walletType: 'metamask', chainId: 1, chainName: 'Ethereum' },
  ],
  [
    'verifyWallet',
    'signature',
    {
      message: 'x',
      walletAddress: `0x${'0'.repeat(40)}`,
      walletType: 'metamask',
      chainId: 1,
      chainName: 'Ethereum',
    },
  ],
  ['askHelp', 'message', {}],
  ['updateUser', 'firstName', { lastName: 'King' }],
]

test.each(OTHER_FIELDS)(
  '%s connects nowhere for an address in its %s',
  async (name, field, rest) => {
    const ada = await world.user()
    const attempts = await connectionsOf(async () => {
      for (const address of ADDRESSES) {
        const { status } = await ada.ask(name, { body: { ...rest, [field]: address } })
        expect([address, status < 500]).toEqual([address, true])
      }
    })
    expect(attempts).toEqual([])
  },
)

const NO_EMAILS = [
  'a@127.0.0.1',
  'a@[127.0.0.1]',
  'a@[IPv6:::1]',
  'a@2130706433',
  'a@localhost',
  'a@evil.example;b',
  'a,b@evil.example',
  '"a"@evil.example',
  '<a@evil.example>',
  'a@evil.example,',
  'a@evil..example',
  'a@-evil.example',
  'a@evil.example.',
  'a:b@evil.example',
  'a(b)@evil.example',
  'a@evil.example\\',
  'a@evil.0x7f',
  'a@evil.exa_mple',
  'a@evil.example\r\nBcc: b@evil.example',
]

test.each(NO_EMAILS)('%j is not an email address', async (email) => {
  const ada = await world.user()
  const signup = await world.stranger().ask('signup', {
    body: { username: 'mallory', password: PASSWORD, firstName: 'M', lastName: 'M', email },
  })
  const change = await ada.ask('changeEmail', { body: { email, currentPassword: PASSWORD } })
  expect([signup, change].map(({ status, body }) => [status, body.field])).toEqual([
    [400, 'email'],
    [400, 'email'],
  ])
})
