import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { calls, isProven } from '#contract/calls.ts'
import { routes } from '#contract/routes.ts'
import { brokenAccounts } from '../../../test/world/broken-accounts.ts'
import {
  ATTEMPTS,
  auditOf,
  createFactorWorld,
  credentials,
  prove,
  times,
  withdraw,
  WITHDRAWAL,
  type FactorWorld,
} from '../../../test/world/factor-users.ts'
import { resetThrottles } from '../../../test/world/reset-throttles.ts'
import { cookieOf, PASSWORD, type World } from '../../../test/world/world.ts'

let made: FactorWorld
let world: World
beforeAll(async () => {
  made = await createFactorWorld()
  world = made.world
})
afterAll(() => world.close())
/** All callers have one address here. */
beforeEach(() => resetThrottles(world.context.sql))

describe('an authenticator app', () => {
  test('an app is active after its first code, and comes with ten recovery codes', async () => {
    const user = await world.user()
    const { secret, uri } = await user.call('startAuthenticator')
    expect(uri).toBe(
      `otpauth://totp/Trading%20Bot:${user.username}?issuer=Trading%20Bot` +
        `&secret=${secret}&algorithm=SHA1&digits=6&period=30`,
    )
    expect((await user.call('getFactors')).authenticatorSince).toBeNull()
    expect((await made.login(credentials(user))).statusCode, 'not asked for yet').toBe(200)
    expect(await user.ask('addAuthenticator', { body: { code: '000000' } })).toMatchObject({
      status: 422,
      body: { code: 'wrong-code', field: 'code' },
    })
    const { recoveryCodes } = await user.call('addAuthenticator', {
      body: { code: made.nextCode(secret) },
    })
    expect(new Set(recoveryCodes).size).toBe(10)
    expect(await user.call('getFactors')).toMatchObject({
      passkeys: [],
      authenticatorSince: expect.any(String),
      recoveryCodesLeft: 10,
    })
    expect(await user.ask('startAuthenticator')).toMatchObject({
      status: 409,
      body: { code: 'authenticator-exists' },
    })
  })

  test('must be confirmed within ten minutes, by a code of its newest secret', async () => {
    const user = await world.user()
    const first = await user.call('startAuthenticator')
    const second = await user.call('startAuthenticator')
    expect(
      (await user.ask('addAuthenticator', { body: { code: made.nextCode(first.secret) } })).body
        .code,
    ).toBe('wrong-code')
    await world.context.sql`update authenticators set started_at = now() - interval '601 seconds'
        where user_id = ${user.id}`
    expect(
      (await user.ask('addAuthenticator', { body: { code: made.nextCode(second.secret) } })).body
        .code,
    ).toBe('authenticator-expired')
  })

  test('the secret is stored sealed; no plain secret or code is in the database', async () => {
    const { user, secret, codes } = await made.withApp()
    const [row] = await world.context.sql<{ all: string }[]>`
      select (select string_agg(a::text, ' ')
             from authenticators a) || (select string_agg(r::text, ' ')
             from recovery_codes r) || (select string_agg(e::text, ' ') from audit_events e) as all`
    for (const secretText of [secret, ...codes, ...codes.map((code) => code.replace('-', ''))])
      expect(row?.all).not.toContain(secretText)
    expect(JSON.stringify(await user.call('getFactors'))).not.toMatch(
      new RegExp([secret, ...codes].join('|')),
    )
  })

  test('ends the other sessions and unused proofs; its start and its end are audited', async () => {
    const user = await made.saver()
    const elsewhere = cookieOf((await made.login(credentials(user))).headers['set-cookie'])
    const proof = await user.prove('requestWithdrawal', { body: WITHDRAWAL })
    const { secret } = await user.call('startAuthenticator')
    await user.call('addAuthenticator', { body: { code: made.nextCode(secret) } })
    expect((await withdraw(user, proof)).status).toBe(403)
    const { statusCode } = await world.app.inject({
      url: routes.getUser.path,
      headers: { cookie: elsewhere },
    })
    expect(statusCode).toBe(401)
    const removal = await user.ask('makeProof', {
      body: { action: 'removeAuthenticator', code: made.nextCode(secret) },
    })
    await user.call('removeAuthenticator', { proof: removal.body.id })
    expect(await user.call('getFactors')).toEqual({
      passkeys: [],
      authenticatorSince: null,
      recoveryCodesLeft: 0,
    })
    expect((await auditOf(world, user)).filter((line) => line.startsWith('factor'))).toEqual([
      'factor.add authenticator',
      'factor.remove authenticator',
    ])
    expect((await made.login(credentials(user))).statusCode, 'the password alone again').toBe(200)
  })
})

describe('signing in with a second factor', () => {
  test('the right password alone returns the list of factors and signs nobody in', async () => {
    const { user } = await made.withApp()
    const answer = await made.login(credentials(user))
    expect([answer.statusCode, answer.json()]).toEqual([
      403,
      {
        code: 'second-factor-required',
        message: 'Please use your second factor.',
        methods: ['authenticator', 'recovery-code'],
      },
    ])
    expect(answer.headers['set-cookie']).toBeUndefined()
    const wrong = await made.login({ ...credentials(user), password: 'wrong password' })
    const unknown = await made.login({ username: 'nobody-here', password: 'wrong password' })
    expect([wrong.statusCode, wrong.body]).toEqual([401, unknown.body])
  })

  test('accepts a code of the app, even with blanks, but each code once', async () => {
    const { user, secret } = await made.withApp()
    const code = made.nextCode(secret)
    const answer = await made.login({
      ...credentials(user),
      code: `${code.slice(0, 3)} ${code.slice(3)}`,
    })
    expect([answer.statusCode, answer.json().id]).toEqual([200, user.id])
    expect((await made.login({ ...credentials(user), code })).json()).toMatchObject({
      code: 'wrong-code',
      field: 'code',
    })
  })

  test('accepts a code of the period before and after, and none further away', async () => {
    const { user, secret } = await made.withApp()
    // Advances to the beginning of a period, so that the tries do not cross into the next one.
    made.pass(300 - ((world.context.now().getTime() / 1_000) % 30))
    for (const periods of [-2, 2])
      expect(
        (await made.login({ ...credentials(user), code: made.codeAt(secret, periods) })).statusCode,
        `${periods}`,
      ).toBe(422)
    for (const periods of [-1, 0, 1])
      expect(
        (await made.login({ ...credentials(user), code: made.codeAt(secret, periods) })).statusCode,
        `${periods}`,
      ).toBe(200)
    expect(
      (await made.login({ ...credentials(user), code: made.codeAt(secret, 0) })).statusCode,
      'older than the last',
    ).toBe(422)
  })

  test('accepts each recovery code once, however it is typed', async () => {
    const { user, codes } = await made.withApp()
    const [first = '', second = ''] = codes
    expect(
      (await made.login({ ...credentials(user), code: first.toUpperCase().replace('-', ' ') }))
        .statusCode,
    ).toBe(200)
    expect((await made.login({ ...credentials(user), code: first })).json()).toMatchObject({
      code: 'wrong-code',
    })
    expect((await made.login({ ...credentials(user), code: second })).statusCode).toBe(200)
    expect((await user.call('getFactors')).recoveryCodesLeft).toBe(8)
    expect(
      (await auditOf(world, user)).filter((line) => line === 'recovery-code.use'),
    ).toHaveLength(2)
  })

  test.each(['authenticator', 'recovery-code'])(
    'one %s code sent 16 times at once signs in once',
    async (kind) => {
      const { user, secret, codes } = await made.withApp()
      const code = kind === 'authenticator' ? made.nextCode(secret) : (codes[0] ?? '')
      const answers = await Promise.all(times(16, () => made.login({ ...credentials(user), code })))
      const statuses = answers.map(({ statusCode }) => statusCode)
      expect(statuses.filter((status) => status === 200)).toHaveLength(1)
      expect(new Set(statuses.filter((status) => status !== 200))).toSatisfy(
        (others: Set<number>) => [...others].every((status) => [422, 429].includes(status)),
      )
    },
  )

  test('counts wrong codes like wrong passwords; requesting a code clears neither', async () => {
    const { user, secret } = await made.withApp()
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      expect((await made.login({ ...credentials(user), code: '000000' })).statusCode).toBe(422)
      if (attempt < ATTEMPTS - 1) expect((await made.login(credentials(user))).statusCode).toBe(403)
    }
    expect(
      (await made.login({ ...credentials(user), code: made.nextCode(secret) })).statusCode,
    ).toBe(429)
  })

  test('the request for a code is not counted as an attempt', async () => {
    const { user, secret } = await made.withApp()
    for (let attempt = 0; attempt < 3 * ATTEMPTS; attempt += 1)
      expect((await made.login(credentials(user))).statusCode).toBe(403)
    expect(
      (await made.login({ ...credentials(user), code: made.nextCode(secret) })).statusCode,
    ).toBe(200)
  })

  test('refuses a code of another user', async () => {
    const [{ user }, other] = [await made.withApp(), await made.withApp()]
    for (const code of [made.nextCode(other.secret), other.codes[0]])
      expect((await made.login({ ...credentials(user), code })).statusCode).toBe(422)
  })
})

describe('with a second factor, a proof', () => {
  test('needs more than the password', async () => {
    const { user } = await made.withApp()
    expect(await prove(user, { password: PASSWORD })).toMatchObject({
      status: 403,
      code: 'second-factor-required',
    })
    const refused = await user.ask('requestWithdrawal', { body: WITHDRAWAL, proof: randomUUID() })
    expect(refused).toMatchObject({
      status: 403,
      body: { code: 'proof-required', methods: ['authenticator', 'recovery-code'] },
    })
  })

  test('a proof is accepted with a code, which works once, also concurrently', async () => {
    const { user, secret } = await made.withApp()
    const code = made.nextCode(secret)
    const proven = await Promise.all(times(ATTEMPTS, () => prove(user, { code })))
    expect(proven.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(
      (await withdraw(user, proven.find(({ status }) => status === 201)?.id ?? '')).status,
    ).toBe(201)
  })

  test('a proof can use each recovery code only once', async () => {
    const { user, codes } = await made.withApp()
    const { id } = await prove(user, { code: codes[3] })
    expect((await withdraw(user, id)).status).toBe(201)
    expect(await prove(user, { code: codes[3] })).toMatchObject({ status: 422, code: 'wrong-code' })
  })

  test('consists of exactly one of password, code and passkey', async () => {
    const { user, codes } = await made.withApp()
    for (const given of [{}, { password: PASSWORD, code: codes[0] }])
      expect((await prove(user, given)).status).toBe(400)
  })

  test('a code is needed to change the password too, beside the present password', async () => {
    const { user, codes } = await made.withApp()
    const body = { currentPassword: PASSWORD, newPassword: 'another long password' }
    expect(await user.ask('changePassword', { body, proof: randomUUID() })).toMatchObject({
      status: 403,
      body: { code: 'proof-required' },
    })
    const proven = await user.ask('makeProof', {
      body: { action: 'changePassword', request: body, code: codes[0] },
    })
    const wrong = { ...body, currentPassword: 'wrong password' }
    expect((await user.ask('changePassword', { body: wrong, proof: proven.body.id })).status).toBe(
      422,
    )
    expect(
      (
        await user.ask('changePassword', {
          body: { ...body, newPassword: 'yet another password' },
          proof: proven.body.id,
        })
      ).status,
      'another new password',
    ).toBe(403)
    expect((await user.ask('changePassword', { body, proof: proven.body.id })).status).toBe(200)
  })

  test('a new set of recovery codes replaces the old one', async () => {
    const { user, secret, codes } = await made.withApp()
    const proven = await user.ask('makeProof', {
      body: { action: 'renewRecoveryCodes', code: made.nextCode(secret) },
    })
    const { recoveryCodes } = await user.call('renewRecoveryCodes', { proof: proven.body.id })
    expect(new Set([...codes, ...recoveryCodes]).size).toBe(20)
    expect((await made.login({ ...credentials(user), code: codes[0] })).statusCode).toBe(422)
    expect((await made.login({ ...credentials(user), code: recoveryCodes[0] })).statusCode).toBe(
      200,
    )
    expect(await (await world.user()).ask('renewRecoveryCodes')).toMatchObject({
      status: 409,
      body: { code: 'second-factor-missing' },
    })
  })
})

/**
 * Calls that have the password in their own body, and need a proof by the second factor besides.
 */
const WITH_PASSWORD: Record<string, object> = {
  changePassword: { currentPassword: PASSWORD, newPassword: 'another long password' },
  changeEmail: { currentPassword: PASSWORD, email: 'another@example.com' },
}

test('the right password alone never resets the count of wrong codes', async () => {
  const names = Object.keys(calls)
    .filter(isProven)
    .filter((name) => calls[name].proof === 'with-factor')
  expect(names.toSorted()).toEqual(Object.keys(WITH_PASSWORD).toSorted())
  for (const name of names) {
    const { user } = await made.withApp()
    const body = WITH_PASSWORD[name]
    const guess = async () =>
      (await user.ask('makeProof', { body: { action: name, request: body, code: '000000' } }))
        .status
    for (let times = 1; times < ATTEMPTS; times += 1) expect(await guess()).toBe(422)
    for (let times = 0; times < 2 * ATTEMPTS; times += 1)
      expect(
        (await user.ask(name, { body, proof: 'none' })).body.code,
        'and is no guess itself',
      ).toBe('proof-required')
    expect([await guess(), await guess()], `codes beside ${name}`).toEqual([422, 429])
  }
})

test('changes of factors: the seal of every account is valid afterwards', async () => {
  expect(await brokenAccounts(world.context)).toEqual([])
})
