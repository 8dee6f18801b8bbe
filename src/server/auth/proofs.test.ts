import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isProven } from '#contract/calls.ts'
import { routes, type Route, type RouteName } from '#contract/routes.ts'
import { deleteExpiredSessions } from './session.ts'
import { SEED } from '../../../test/world/random.ts'
import {
  BANK_ACCOUNT,
  cookieOf,
  createWorld,
  PASSWORD,
  proofRequest,
  type TestUser,
  type World,
} from '../../../test/world/world.ts'

const ATTEMPTS = 5
const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' }

let world: World
beforeAll(async () => {
  world = await createWorld({ config: { LOGIN_ATTEMPTS: ATTEMPTS } })
})
afterAll(() => world.close())

const times = <Item>(count: number, make: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => make(index))

/** A user with $1,000 and two bank accounts, the first of which is the default. */
async function saver(): Promise<{ user: TestUser; accounts: [string, string] }> {
  const user = await world.user()
  await user.deposit('1000')
  return { user, accounts: [await user.addBankAccount(), await user.addBankAccount()] }
}

const withdrawalsOf = async (user: TestUser): Promise<number> =>
  (await user.call('listWithdrawals')).length

/** Sends the call as it is, without making a proof. */
function send(
  { cookie }: { cookie: string },
  name: RouteName,
  {
    body,
    proof,
    id = randomUUID(),
    key,
  }: { body?: object; proof?: string; id?: string; key?: string } = {},
) {
  const { method, path }: Route = routes[name]
  const headers = {
    ...SAME_ORIGIN,
    cookie,
    ...(proof && { proof }),
    ...(key && { 'idempotency-key': key }),
  }
  return world.app.inject({
    method,
    url: path.replace(':id', id),
    headers,
    ...(body && { payload: body }),
  })
}

async function isRefused(answer: ReturnType<typeof send>): Promise<void> {
  const { statusCode, body } = await answer
  expect([statusCode, JSON.parse(body)]).toEqual([
    403,
    { code: 'proof-required', message: "Please confirm that it's you.", methods: ['password'] },
  ])
}

/** Another sign-in of the same user. */
async function signInElsewhere({ username }: TestUser): Promise<{ cookie: string }> {
  const answer = await world.app.inject({
    method: 'POST',
    url: routes.login.path,
    payload: { username, password: PASSWORD },
    headers: SAME_ORIGIN,
  })
  return { cookie: cookieOf(answer.headers['set-cookie']) }
}

/**
 * Every route that moves money out, changes where it or notices go or how its owner signs in, or
 * signs other devices out.
 */
const SENSITIVE: readonly RouteName[] = [
  'addBankAccount',
  'addWebhook',
  'changeEmail',
  'changePassword',
  'closeAccount',
  'endOtherSessions',
  'endSession',
  'exportData',
  'makeKey',
  'removeAuthenticator',
  'removePasskey',
  'removeWebhook',
  'renewRecoveryCodes',
  'requestWithdrawal',
  'startAuthenticator',
  'startPasskey',
  'updateProtections',
  'updateWebhook',
]

/**
 * Routes that write and need no proof: they move no money out, and change neither its destination
 * nor the owner's sign-in.
 */
const HARMLESS: readonly RouteName[] = [
  'updateUser',
  'login',
  'signup',
  'logout',
  'makeProof',
  'createBot',
  'updateBot',
  'deleteBot',
  'topUpBot',
  'takeOutOfBot',
  'setPlan',
  'endPlan',
  'simulateBot',
  'runBacktest',
  'runBotEvidence',
  'stopAll',
  'createPaymentIntent',
  'payWithSandboxCard',
  'confirmDeposit',
  'removeBankAccount',
  'makeBankAccountDefault',
  'cancelWithdrawal',
  'askHelp',
  'streamHelp',
  'verifyWallet',
  'disconnectWallet',
  'loginWithPasskey',
  'renamePasskey',
  'revokeKey',
  'updateNoticeSettings',
  'addPushDevice',
  'removePushDevice',
  'resendWebhook',
  'readNotices',
  'sendVerification',
  'requestReset',
  // A link that only the address's owner received replaces the proof.
  'verifyEmail',
  'resetPassword',
  'previewDisown',
  'disown',
  // Both calls continue after a proof: only its maker has the challenge or the secret.
  'addPasskey',
  'addAuthenticator',
]

test('every route that writes is either sensitive, and needs a proof, or harmless', () => {
  const names = Object.keys(routes) as RouteName[]
  const routeOf = (name: RouteName): Route => routes[name]
  expect(names.filter(isProven).toSorted()).toEqual(SENSITIVE.toSorted())
  expect(names.filter((name) => routeOf(name).method !== 'GET').toSorted()).toEqual(
    [...SENSITIVE, ...HARMLESS].toSorted(),
  )
})

test.each([
  ['addBankAccount', BANK_ACCOUNT],
  ['requestWithdrawal', { amount: '20' }],
] as const)('%s without a proof is refused, with one it succeeds, once', async (name, body) => {
  const { user } = await saver()
  await isRefused(send(user, name, { body }))
  const proof = await user.prove(name, { body })
  expect((await send(user, name, { body, proof })).statusCode).toBe(201)
  await isRefused(send(user, name, { body, proof }))
})

describe('a proof', () => {
  test('a proof is used by only one of 64 concurrent withdrawals', async () => {
    const { user } = await saver()
    const body = { amount: '10' }
    const proof = await user.prove('requestWithdrawal', { body })
    const answers = await Promise.all(
      times(64, () => send(user, 'requestWithdrawal', { body, proof })),
    )
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([
      201,
      ...times(63, () => 403),
    ])
    expect(await withdrawalsOf(user)).toBe(1)
  })

  test('a proof is valid only for its own amount, bank account and action', async () => {
    const {
      user,
      accounts: [first, second],
    } = await saver()
    const amount = fc.integer({ min: 1_000, max: 2_000 }).map((cents) => (cents / 100).toFixed(2))
    const request = fc.record({ amount, bankAccountId: fc.constantFrom(first, second, null) })
    await fc.assert(
      fc.asyncProperty(request, request, async (proven, sent) => {
        fc.pre(JSON.stringify(proven) !== JSON.stringify(sent))
        await isRefused(
          send(user, 'requestWithdrawal', {
            body: sent,
            proof: await user.prove('requestWithdrawal', { body: proven }),
          }),
        )
      }),
      { seed: SEED, numRuns: 20 },
    )
    await isRefused(
      send(user, 'addBankAccount', {
        body: BANK_ACCOUNT,
        proof: await user.prove('requestWithdrawal', { body: { amount: '20' } }),
      }),
    )
    for (const other of [
      { accountNumber: '000123456780' },
      { routingNumber: '011000015' },
      { bankName: 'Other' },
      { accountType: 'savings' },
    ]) {
      await isRefused(
        send(user, 'addBankAccount', {
          body: { ...BANK_ACCOUNT, ...other },
          proof: await user.prove('addBankAccount', { body: BANK_ACCOUNT }),
        }),
      )
    }
    expect(await withdrawalsOf(user)).toBe(0)
  })

  test('a proof is valid only for its own user and session', async () => {
    const [{ user }, { user: other }] = await Promise.all([saver(), saver()])
    const body = { amount: '20' }
    const elsewhere = await signInElsewhere(user)
    const proof = await user.prove('requestWithdrawal', { body })
    await isRefused(send(other, 'requestWithdrawal', { body, proof }))
    await isRefused(send(elsewhere, 'requestWithdrawal', { body, proof }))
    expect((await send(user, 'requestWithdrawal', { body, proof })).statusCode).toBe(201)
  })

  test('a proof is valid for five minutes', async () => {
    const { user } = await saver()
    const body = { amount: '20' }
    const age = (proof: string, seconds: number) =>
      world.context.sql`update proofs set made_at = now() - ${seconds} * interval '1 second'
          where id = ${proof}`
    const [old, young] = [
      await user.prove('requestWithdrawal', { body }),
      await user.prove('requestWithdrawal', { body }),
    ]
    await age(old, 301)
    await age(young, 290)
    await isRefused(send(user, 'requestWithdrawal', { body, proof: old }))
    expect((await send(user, 'requestWithdrawal', { body, proof: young })).statusCode).toBe(201)
    await deleteExpiredSessions(world.context)
    expect(await world.context.sql`select id from proofs where user_id = ${user.id}`).toEqual([])
  })

  test('survives a refused action, and is not needed to repeat an idempotency key', async () => {
    const { user } = await saver()
    const body = { amount: '600' }
    const [first, second] = [
      await user.prove('requestWithdrawal', { body }),
      await user.prove('requestWithdrawal', { body }),
    ]
    const key = randomUUID()
    const asked = await send(user, 'requestWithdrawal', { body, proof: first, key })
    expect(asked.statusCode).toBe(201)
    expect((await send(user, 'requestWithdrawal', { body, key })).json()).toEqual(asked.json())
    expect((await send(user, 'requestWithdrawal', { body, proof: second })).json()).toMatchObject({
      code: 'withdrawal-above-available',
    })
    await user.call('cancelWithdrawal', { params: { id: asked.json().id } })
    expect((await send(user, 'requestWithdrawal', { body, proof: second })).statusCode).toBe(201)
  })

  test('ends with a change of the default bank account, its session or the password', async () => {
    const {
      user,
      accounts: [, second],
    } = await saver()
    const body = { amount: '20' }
    const stale = await user.prove('requestWithdrawal', { body })
    await user.call('makeBankAccountDefault', { params: { id: second } })
    await isRefused(send(user, 'requestWithdrawal', { body, proof: stale }))
    const removed = await user.prove('requestWithdrawal', { body })
    await user.call('removeBankAccount', { params: { id: second } })
    await isRefused(send(user, 'requestWithdrawal', { body, proof: removed }))
    await user.prove('requestWithdrawal', { body })
    await user.call('changePassword', {
      body: { currentPassword: PASSWORD, newPassword: 'another long password' },
    })
    expect(await world.context.sql`select id from proofs where user_id = ${user.id}`).toEqual([])
  })

  test.each(['', 'x', randomUUID(), `${randomUUID()}, ${randomUUID()}`])(
    'a proof cannot be %j',
    async (proof) => {
      const { user } = await saver()
      await isRefused(send(user, 'requestWithdrawal', { body: { amount: '20' }, proof }))
    },
  )
})

describe('making a proof', () => {
  const request = { amount: '20' }

  test('needs the password; wrong ones are counted with those of password changes', async () => {
    const { user } = await saver()
    const prove = (password: string) =>
      user.ask('makeProof', {
        body: proofRequest({ action: 'requestWithdrawal', body: request, password }),
      })
    for (let attempt = 1; attempt < ATTEMPTS; attempt += 1) {
      expect(await prove('wrong password')).toMatchObject({
        status: 422,
        body: { code: 'wrong-password', field: 'password' },
      })
    }
    const change = { currentPassword: 'wrong password', newPassword: 'another long password' }
    expect((await user.ask('changePassword', { body: change })).status).toBe(422)
    expect(await prove(PASSWORD)).toMatchObject({
      status: 429,
      body: { code: 'too-many-attempts' },
    })
  })

  test('resets the count of wrong attempts before it', async () => {
    const { user } = await saver()
    for (let round = 0; round < 3; round += 1) {
      await user.ask('makeProof', {
        body: proofRequest({
          action: 'requestWithdrawal',
          body: request,
          password: 'wrong password',
        }),
      })
      await user.prove('requestWithdrawal', { body: request })
    }
  })

  test('proofs and refused attempts are audited without the contents of the request', async () => {
    const { user } = await saver()
    await user.ask('makeProof', {
      body: proofRequest({
        action: 'addBankAccount',
        body: BANK_ACCOUNT,
        password: 'wrong password',
      }),
    })
    await user.prove('addBankAccount', { body: BANK_ACCOUNT })
    const rows = await world.context.sql<{ action: string; details: object }[]>`
      select action, details from audit_events where subject = ${user.id} and action like 'proof.%'
       order by id desc limit 2`
    const details = { action: 'addBankAccount', method: 'password' }
    expect(rows).toEqual([
      { action: 'proof.make', details },
      { action: 'proof.refuse', details },
    ])
  })

  test.each([
    ['action', { action: 'stopAll', request: {} }],
    ['action', { action: 'constructor', request: {} }],
    ['request', { action: 'requestWithdrawal', request: { amount: 'x' } }],
    ['request', { action: 'requestWithdrawal', request: { ...request, isAdmin: true } }],
    ['request', { action: 'addBankAccount', request }],
    ['id', { action: 'requestWithdrawal', request, id: randomUUID() }],
  ])('refuses an invalid %s', async (field, body) => {
    const { user } = await saver()
    expect(await user.ask('makeProof', { body: { ...body, password: PASSWORD } })).toMatchObject({
      status: 400,
      body: { field },
    })
  })

  test('a proof is refused in a session that has ended', async () => {
    const { user } = await saver()
    await user.call('logout')
    expect(
      (
        await user.ask('makeProof', {
          body: proofRequest({ action: 'requestWithdrawal', body: request }),
        })
      ).status,
    ).toBe(401)
  })
})

test('the same new bank account sent twice under one key is added once', async () => {
  const user = await world.user()
  const key = randomUUID()
  const proof = await user.prove('addBankAccount', { body: BANK_ACCOUNT })
  const answers = await Promise.all(
    times(8, () => send(user, 'addBankAccount', { body: BANK_ACCOUNT, proof, key })),
  )
  expect(new Set(answers.map(({ statusCode, body }) => `${statusCode} ${body}`)).size).toBe(1)
  expect(await user.call('listBankAccounts')).toHaveLength(1)
})
