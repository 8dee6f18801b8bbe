import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { plainRoutes } from '#contract/plain-routes.ts'
import { required } from '#core/assert.ts'
import { KEY_REQUESTS } from '#core/auth/program-key.ts'
import { ONE } from '#core/money/amount.ts'
import type { Refusal } from '#core/refusal.ts'
import { chargeKey } from './use-program-key.ts'
import { endUserSessions, freezeUser } from '#server/operators/act-on-user.ts'
import { openServer } from '#server/server.ts'
import { createMailWorld, tokenIn, type MailWorld } from '../../../test/notices/mail-world.ts'
import { signInAs } from '../../../test/world/operators.ts'
import {
  askWithKey,
  BOT,
  BOTS_KEY,
  makeKey,
  outcomeOf,
  READ_KEY,
} from '../../../test/program-keys/ask-with-key.ts'
import { resetThrottles } from '../../../test/world/reset-throttles.ts'
import { PASSWORD, type TestUser } from '../../../test/world/world.ts'

let world: MailWorld
let ada: TestUser
beforeAll(async () => {
  world = await createMailWorld()
  ada = await world.user('ada')
  await ada.deposit('5000')
})
afterAll(() => world.close())
beforeEach(async () => {
  await resetThrottles(world.context.sql)
  for (const { id } of await ada.call('listKeys')) await ada.call('revokeKey', { params: { id } })
})

const sql = () => world.context.sql
const UNKNOWN = [401, 'key-invalid']
let names = 0
const somebody = async (): Promise<TestUser> => {
  const user = await world.verified(`owner${(names += 1)}@example.com`)
  await user.deposit('1000')
  await world.deliver()
  return user
}
const mailOf = async (subject: string) =>
  (await world.deliver()).find((mail) => mail.subject === subject)

describe('a key', () => {
  test('a key is made only with a proof of its own', async () => {
    const refused = await ada.ask('makeKey', { body: READ_KEY, proof: 'none' })
    expect([refused.status, refused.body.code]).toEqual([403, 'proof-required'])
    const proof = await ada.prove('makeKey', { body: READ_KEY })
    const other = await ada.ask('makeKey', { body: { ...READ_KEY, days: 365 }, proof })
    expect([other.status, other.body.code]).toEqual([403, 'proof-required'])
    expect(await ada.call('listKeys')).toEqual([])
  })

  test('a key is shown once, and stored only as a keyed hash', async () => {
    const secret = await makeKey(ada, { ...READ_KEY, networks: ['203.0.113.0/24'] })
    expect(secret).toMatch(/^tbk_[\w-]{86}$/)
    const keys = await ada.call('listKeys')
    expect(keys).toMatchObject([
      { name: 'Sheet', scope: 'read', networks: ['203.0.113.0/24'], lastUsedAt: null },
    ])
    const bytes = Buffer.from(secret.slice(4), 'base64url').subarray(32)
    const [row] = await sql()<{ text: string }[]>`
      select k::text as text from program_keys k where k.user_id = ${ada.id}`
    const stored = `${JSON.stringify(keys)}${row?.text}`
    for (const text of [secret, bytes.toString('base64url'), bytes.toString('hex')])
      expect(stored).not.toContain(text)
  })

  test('a key is announced to its owner when it is made and when it is revoked', async () => {
    const user = await somebody()
    await makeKey(user)
    const mail = await mailOf('Key for a program created')
    expect(mail?.text).toContain('Sheet')
    expect(mail?.text).toContain('/not-me#')
    const [key] = await user.call('listKeys')
    await user.call('revokeKey', { params: { id: key?.id } })
    expect((await mailOf('Key for a program revoked'))?.text).toContain('Sheet')
  })

  test('a key has the time of its last use, which is not written at each request', async () => {
    const secret = await makeKey(ada)
    const lastUse = async () => (await ada.call('listKeys'))[0]?.lastUsedAt
    await askWithKey(world, secret, 'listBots')
    const first = await lastUse()
    expect(first).not.toBeNull()
    await askWithKey(world, secret, 'listBots')
    expect(await lastUse()).toBe(first)
    await sql()`update program_keys set last_used_at = last_used_at - interval '6 minutes'`
    await askWithKey(world, secret, 'listBots')
    expect(await lastUse()).not.toBe(first)
  })

  test('a user has at most ten keys', async () => {
    for (let made = 0; made < 10; made += 1) await makeKey(ada)
    const answer = await ada.ask('makeKey', { body: READ_KEY })
    expect([answer.status, answer.body.code]).toEqual([422, 'too-many-keys'])
  })
})

test.each([
  ['name', { name: '' }],
  ['name', { name: 'x'.repeat(51) }],
  ['scope', { scope: 'money' }],
  ['days', { days: 400 }],
  ['networks', { networks: ['203.0.113.0/33'] }],
  ['networks', { networks: ['everywhere'] }],
  ['networks', { networks: Array.from({ length: 6 }, () => '203.0.113.1') }],
  ['mostBots', { mostBots: 0 }],
  ['mostBots', { mostBots: undefined }],
  ['dailyAmount', { dailyAmount: undefined }],
  ['dailyAmount', { dailyAmount: '0.00' }],
  ['dailyAmount', { dailyAmount: '-5' }],
  ['mostBots', { ...READ_KEY, mostBots: 3 }],
])('a wrong %s is refused by its name: %j', async (field, wrong) => {
  const { status, body } = await ada.ask('makeKey', {
    body: { ...(field === 'mostBots' && 'days' in wrong ? {} : BOTS_KEY), ...wrong },
  })
  expect([status === 400 || status === 422, body.field?.split('.')[0]]).toEqual([true, field])
})

describe('a request with a key', () => {
  test('needs neither cookie nor origin, and ignores a cookie', async () => {
    const eve = await world.user()
    const secret = await makeKey(eve)
    const { cookie } = ada
    await ada.call('createBot', { body: BOT })
    expect((await askWithKey(world, secret, 'listBots', { headers: { cookie } })).body).toEqual([])
    const wrong = `tbk_${'A'.repeat(86)}`
    expect(await outcomeOf(world, wrong, 'listBots', { headers: { cookie } })).toEqual(UNKNOWN)
    expect(await outcomeOf(world, 'tbk_', 'listBots', { headers: { cookie } })).toEqual(UNKNOWN)
    expect(
      await outcomeOf(world, await makeKey(eve, BOTS_KEY), 'createBot', {
        body: BOT,
        headers: { 'sec-fetch-site': 'cross-site' },
      }),
    ).toEqual([422, 'bot-amount-above-available'])
  })

  test('leaves other values of the header to proxies', async () => {
    const { cookie } = ada
    for (const authorization of ['Bearer of.a.proxy', 'Basic dGJrXw=='])
      expect(
        await outcomeOf(world, '', 'listBots', { headers: { authorization, cookie } }),
      ).toEqual([200])
  })

  test('reaches no file, no stream and no page', async () => {
    const secret = await makeKey(ada, BOTS_KEY)
    const others = Object.values(plainRoutes).filter((url) => url !== plainRoutes.mcp)
    for (const url of [...others, '/', '/profile', '/health'])
      expect([
        url,
        (
          await world.app.inject({
            url,
            headers: {
              authorization: `bearer  ${secret}`,
              cookie: ada.cookie,
              host: 'bots.example',
            },
          })
        ).statusCode,
      ]).toEqual([url, 403])
  })

  test('a request with a key is refused with the name of the scope that it lacks', async () => {
    const secret = await makeKey(ada)
    const { status, body, headers } = await askWithKey(world, secret, 'createBot', { body: BOT })
    expect([status, body]).toEqual([
      403,
      { code: 'key-scope', message: 'A key with the scope "read" does not allow this.' },
    ])
    expect(headers['www-authenticate']).toBe('Bearer error="insufficient_scope"')
  })

  test('requests are counted, and refused beyond a limit with the time to wait', async () => {
    const [secret, other] = [await makeKey(ada), await makeKey(ada)]
    const first = await askWithKey(world, secret, 'listBots')
    expect(first.headers).toMatchObject({
      'ratelimit-policy': '"key";q=120;w=60',
      ratelimit: expect.stringMatching(/^"key";r=119;t=\d+$/),
    })
    await sql()`update throttles set attempts = ${KEY_REQUESTS} where key like 'program-key:%'`
    const over = await askWithKey(world, secret, 'listBots')
    expect([over.status, over.body.code]).toEqual([429, 'too-many-attempts'])
    expect(over.headers['ratelimit']).toMatch(/^"key";r=0;t=\d+$/)
    expect(Number(over.headers['retry-after'])).toBeGreaterThan(0)
    expect(await outcomeOf(world, other, 'listBots')).toEqual([200])
  })

  test('works from the networks of its key alone', async () => {
    const secret = await makeKey(ada, {
      ...READ_KEY,
      networks: ['203.0.113.0/24', '2001:db8::/32'],
    })
    const from = (address: string) => outcomeOf(world, secret, 'listBots', { from: address })
    for (const address of ['203.0.113.9', '::ffff:203.0.113.9', '2001:db8::1'])
      expect([address, await from(address)]).toEqual([address, [200]])
    for (const address of ['203.0.114.9', '127.0.0.1', '2001:db9::1'])
      expect([address, await from(address)]).toEqual([address, [403, 'key-network']])
  })
})

describe('a key opens nothing', () => {
  test('an expired key opens nothing, however its row is changed', async () => {
    const secret = await makeKey(ada)
    await sql()`update program_keys set expires_at = now() where user_id = ${ada.id}`
    expect(await outcomeOf(world, secret, 'listBots')).toEqual(UNKNOWN)
    expect(await ada.call('listKeys')).toEqual([])
  })

  test.each([
    "expires_at = expires_at + interval '1 day'",
    "scope = 'bots', most_bots = 100, daily_amount = 1000000000000",
    "networks = '{}'",
  ])('if somebody widens it in the database: %s', async (change) => {
    const secret = await makeKey(ada, { ...READ_KEY, networks: ['127.0.0.1'] })
    expect(await outcomeOf(world, secret, 'listBots')).toEqual([200])
    await sql().unsafe(`update program_keys set ${change} where user_id = '${ada.id}'`)
    expect(await outcomeOf(world, secret, 'listBots')).toEqual(UNKNOWN)
  })

  test('a key opens nothing of another user if its row is copied there', async () => {
    const eve = await world.user()
    const secret = await makeKey(eve)
    await sql()`update program_keys set user_id = ${ada.id} where user_id = ${eve.id}`
    const bytes = Buffer.from(secret.slice(4), 'base64url')
    Buffer.from(ada.id.replaceAll('-', ''), 'hex').copy(bytes)
    const forged = `tbk_${bytes.toString('base64url')}`
    expect(await outcomeOf(world, forged, 'listBots')).toEqual(UNKNOWN)
  })

  test.each<[string, (user: TestUser) => Promise<unknown>]>([
    [
      'it is revoked',
      async (user) =>
        user.call('revokeKey', { params: { id: (await user.call('listKeys'))[0]?.id } }),
    ],
    [
      'the password is changed',
      (user) =>
        user.call('changePassword', {
          body: { currentPassword: PASSWORD, newPassword: 'another long password' },
        }),
    ],
    [
      'the password is reset',
      async (user) => {
        await user.call('requestReset', { body: { account: user.username } })
        const token = tokenIn(await mailOf('Set a new password'))
        await user.call('resetPassword', { body: { token, newPassword: 'a brand new password' } })
      },
    ],
    [
      '"This was not me" is pressed',
      async (user) => {
        const token = tokenIn(await mailOf('Key for a program created'))
        const { keys } = await user.call('previewDisown', { body: { token } })
        expect(keys).toEqual(['Script'])
        await user.call('disown', { body: { token } })
      },
    ],
    [
      'an operator signs its owner out',
      async ({ username }) => {
        const { context } = await signInAs(world.context, {
          name: `Sue ${username}`,
          roles: ['support'],
        })
        await endUserSessions(context, username)
      },
    ],
    [
      'the account is closed',
      async (user) => {
        await sql()`update users set closed_at = now() where id = ${user.id}`
      },
    ],
  ])('once %s', async (_, end) => {
    const user = await somebody()
    const secret = await makeKey(user, BOTS_KEY)
    expect(await outcomeOf(world, secret, 'listBots')).toEqual([200])
    await end(user)
    expect(await outcomeOf(world, secret, 'listBots')).toEqual(UNKNOWN)
    expect(await outcomeOf(world, secret, 'createBot', { body: BOT })).toEqual(UNKNOWN)
  })
})

test('a frozen user’s key reads, and changes nothing', async () => {
  const user = await somebody()
  const secret = await makeKey(user, BOTS_KEY)
  const { context } = await signInAs(world.context, { name: 'Sol', roles: ['support'] })
  await freezeUser(context, { username: user.username, reason: 'a test' })
  expect(await outcomeOf(world, secret, 'getPortfolio')).toEqual([200])
  expect(await outcomeOf(world, secret, 'createBot', { body: BOT })).toEqual([
    403,
    'account-frozen',
  ])
  const [key] = await user.call('listKeys')
  await user.call('revokeKey', { params: { id: key?.id } })
})

describe('a key for bots', () => {
  const create = (secret: string, amount = '20') =>
    outcomeOf(world, secret, 'createBot', { body: { ...BOT, investmentAmount: amount } })

  test('creates, pauses and resumes, and changes nothing else of a bot', async () => {
    const secret = await makeKey(ada, BOTS_KEY)
    const made = await askWithKey(world, secret, 'createBot', { body: BOT })
    expect(made.status).toBe(201)
    const id = String(made.body['id'])
    for (const isActive of [false, true])
      expect(
        (await askWithKey(world, secret, 'updateBot', { id, body: { isActive } })).body,
      ).toMatchObject({ isActive })
    for (const [field, value] of Object.entries({
      name: 'Other',
      riskLevel: 'aggressive',
      tradingPairs: ['ETH/USDT'],
      guards: null,
    })) {
      const { status, body } = await askWithKey(world, secret, 'updateBot', {
        id,
        body: { isActive: true, [field]: value },
      })
      expect([status, body.code, body.field]).toEqual([403, 'key-scope', field])
    }
    const planned = { ...BOT, plan: { amount: '20', every: 'week' } }
    expect((await askWithKey(world, secret, 'createBot', { body: planned })).body).toMatchObject({
      code: 'key-scope',
      field: 'plan',
    })
  })

  test('makes no more bots than it may', async () => {
    const secret = await makeKey(ada, { ...BOTS_KEY, mostBots: 2 })
    expect([await create(secret), await create(secret)]).toEqual([[201], [201]])
    expect(await create(secret)).toEqual([422, 'key-bots-limit'])
    // Neither bots of the user's own nor those of another key count.
    expect(await create(await makeKey(ada, BOTS_KEY))).toEqual([201])
  })

  test('puts no more money into bots within 24 hours than it may', async () => {
    const secret = await makeKey(ada, BOTS_KEY)
    expect(await create(secret, '90')).toEqual([201])
    const over = await askWithKey(world, secret, 'createBot', { body: BOT })
    expect([over.status, over.body]).toEqual([
      422,
      {
        code: 'key-amount-limit',
        field: 'investmentAmount',
        message: 'This key may put up to $100.00 into bots a day.',
      },
    ])
    expect(await create(secret, '10')).toEqual([201])
    await sql()`update program_key_bots set created_at = created_at - interval '25 hours'`
    expect(await create(secret, '100')).toEqual([201])
  })

  test('creations at the same moment, in several servers, exceed neither limit', async () => {
    const others = await Promise.all(
      Array.from({ length: 7 }, () => openServer(world.context, { pages: '/nonexistent' })),
    )
    const eachOn = (secret: string, amount: string) =>
      Promise.all(
        [world.app, ...others].map((app) =>
          outcomeOf(world, secret, 'createBot', {
            app,
            body: { ...BOT, investmentAmount: amount },
          }),
        ),
      )
    const few = await makeKey(ada, { ...BOTS_KEY, dailyAmount: '5000' })
    const little = await makeKey(ada, { ...BOTS_KEY, mostBots: 50 })
    const [ofFew, ofLittle] = [await eachOn(few, '20'), await eachOn(little, '40')]
    expect(ofFew.filter(([status]) => status === 201)).toHaveLength(3)
    expect(ofLittle.filter(([status]) => status === 201)).toHaveLength(2)
  })

  test("the key's limits have a lock of their own, besides that of the cash", async () => {
    await makeKey(ada, BOTS_KEY)
    const { id } = required((await ada.call('listKeys'))[0], 'the key')
    const limits = { mostBots: 3, dailyAmount: 100n * ONE }
    const key = { userId: ada.id, id, scope: 'bots', networks: [], limits, expiresAt: new Date() }
    const { atomically } = world.context
    const charge = async (after: () => Promise<void>) => {
      const { id: botId } = await ada.call('createBot', { body: BOT })
      return atomically(async ({ sql: tx }) => {
        await chargeKey(tx, { ...key, scope: 'bots' }, { botId, amount: 60n * ONE })
        await after()
      })
    }
    let second: Promise<string> | undefined
    let isCharged = false
    await charge(async () => {
      second = charge(async () => void (isCharged = true)).then(
        () => 'charged',
        (error: Refusal) => error.code,
      )
      await vi.waitFor(async () => {
        const waiting = await sql()`select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`
        expect(isCharged || waiting.count > 0).toBe(true)
      }, 30_000)
    })
    expect(await second).toBe('key-amount-limit')
  })

  test('a request that is refused beyond a limit moves no money', async () => {
    const secret = await makeKey(ada, BOTS_KEY)
    const before = (await ada.call('getUser')).availableBalance
    expect(await create(secret, '101')).toEqual([422, 'key-amount-limit'])
    expect((await ada.call('getUser')).availableBalance).toBe(before)
  })
})
