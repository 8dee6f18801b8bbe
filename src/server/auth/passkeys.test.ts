import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { routes, type RouteName } from '#contract/routes.ts'
import { sealAccount } from '#server/security/account-seal.ts'
import { brokenAccounts } from '../../../test/world/broken-accounts.ts'
import {
  createFactorWorld,
  ORIGIN,
  prove,
  times,
  withdraw,
  type FactorWorld,
} from '../../../test/world/factor-users.ts'
import { resetThrottles } from '../../../test/world/reset-throttles.ts'
import { makeSoftPasskey, type Flaws } from '../../../test/world/soft-passkey.ts'
import { BANK_ACCOUNT, createWorld, type World } from '../../../test/world/world.ts'

let made: FactorWorld
let world: World
beforeAll(async () => {
  made = await createFactorWorld()
  world = made.world
})
afterAll(() => world.close())
/** All callers have one address here. */
beforeEach(() => resetThrottles(world.context.sql))

describe('a passkey', () => {
  test('makes a proof for its own user only, and once', async () => {
    const [{ user, device }, other] = [await made.withPasskey(), await made.withPasskey()]
    const options = await user.call('getPasskeyChallenge')
    const passkey = device.assert(options)
    const { id } = await prove(user, { passkey })
    expect((await withdraw(user, id)).status).toBe(201)
    expect(await prove(user, { passkey })).toMatchObject({ status: 422, code: 'wrong-passkey' })
    const foreign = device.assert(await other.user.call('getPasskeyChallenge'))
    const fromLogin = device.assert(await world.stranger().call('getPasskeyChallenge'))
    for (const wrong of [
      foreign,
      fromLogin,
      other.device.assert(await user.call('getPasskeyChallenge')),
    ]) {
      expect(await prove(user, { passkey: wrong })).toMatchObject({
        status: 422,
        code: 'wrong-passkey',
      })
    }
  })

  test('signs in alone, and makes the device a known one', async () => {
    const { user, device, codes } = await made.withPasskey()
    expect(codes).toHaveLength(10)
    const answer = await made.signIn(
      device.assert(await world.stranger().call('getPasskeyChallenge')),
    )
    expect([answer.statusCode, answer.json().id]).toEqual([200, user.id])
    const cookies = [answer.headers['set-cookie']].flat()
    expect(cookies).toEqual([
      expect.stringMatching(/^sid=/),
      expect.stringMatching(/^kept=/),
      expect.stringMatching(/^device=[\w.~-]+;/),
    ])
    expect((await user.call('listNotices')).items.slice(0, 2).map(({ kind }) => kind)).toEqual([
      'sign-in',
      'passkey-added',
    ])
    const { passkeys } = await user.call('getFactors')
    expect(passkeys).toEqual([
      {
        id: expect.any(String),
        name: expect.any(String),
        createdAt: expect.any(String),
        lastUsedAt: expect.any(String),
      },
    ])
  })

  test.each<[string, Flaws]>([
    ['from another site', { origin: 'https://evil.example' }],
    ['for another address', { rpId: 'evil.example' }],
    ['of another kind', { type: 'webauthn.create' }],
    ['whose device did not verify its owner', { isVerified: false }],
    ['with a count that went back', { counter: 1 }],
    ['that names an unknown user', { userHandle: Buffer.from(randomUUID()).toString('base64url') }],
    ['that names nobody', { userHandle: 'AAAA' }],
  ])('answer %s is refused, like any other', async (_kind, flaws) => {
    const { device } = await made.withPasskey()
    await made.signIn(device.assert(await world.stranger().call('getPasskeyChallenge')))
    const answer = await made.signIn(
      device.assert(await world.stranger().call('getPasskeyChallenge'), flaws),
    )
    expect([answer.statusCode, answer.json()]).toEqual([
      422,
      { code: 'wrong-passkey', message: 'This passkey was not accepted.' },
    ])
    expect(answer.headers['set-cookie']).toBeUndefined()
  })

  test('answers each challenge once, only ours, and for a quarter of an hour', async () => {
    const { user, device } = await made.withPasskey()
    const passkey = device.assert(await world.stranger().call('getPasskeyChallenge'))
    const raced = await Promise.all(times(16, () => made.signIn(passkey)))
    expect(raced.map(({ statusCode }) => statusCode).toSorted()).toEqual([
      200,
      ...times(15, () => 422),
    ])
    const forged = { rpId: 'localhost', challenge: Buffer.alloc(56, 7).toString('base64url') }
    expect((await made.signIn(device.assert(forged))).statusCode).toBe(422)
    expect(
      (await made.signIn(device.assert(await user.call('getPasskeyChallenge')))).statusCode,
      'made to prove, not to sign in',
    ).toBe(422)
    const old = device.assert(await world.stranger().call('getPasskeyChallenge'))
    made.pass(901)
    expect((await made.signIn(old)).statusCode).toBe(422)
  })

  test('a passkey is created by the requesting session, once, and once per device', async () => {
    const { user, device } = await made.withPasskey()
    const [other, fresh] = [await world.user(), await world.user()]
    const options = await fresh.call('startPasskey')
    const created = makeSoftPasskey(ORIGIN).create(options)
    expect(await other.ask('addPasskey', { body: created })).toMatchObject({
      status: 422,
      body: { code: 'wrong-passkey' },
    })
    await fresh.call('addPasskey', { body: created })
    expect((await fresh.ask('addPasskey', { body: created })).status).toBe(422)
    const proof = async () => {
      const passkey = device.assert(await user.call('getPasskeyChallenge'))
      return (await user.ask('makeProof', { body: { action: 'startPasskey', passkey } })).body.id
    }
    const again = await user.call('startPasskey', { proof: await proof() })
    expect(again.excludeCredentials).toEqual([{ id: device.id, type: 'public-key' }])
    expect((await user.ask('addPasskey', { body: device.create(again) })).status).toBe(422)
    const flaws: Flaws[] = [
      { origin: 'https://evil.example' },
      { rpId: 'evil.example' },
      { isVerified: false },
      { type: 'webauthn.get' },
    ]
    for (const flaw of flaws)
      expect(
        (await user.ask('addPasskey', { body: makeSoftPasskey(ORIGIN).create(again, flaw) }))
          .status,
      ).toBe(422)
  })

  test('needs a proof after any sign-in, by a second factor if there is one', async () => {
    const user = await made.saver()
    const calls: RouteName[] = ['startPasskey', 'startAuthenticator']
    for (const name of calls)
      expect(await user.ask(name, { proof: randomUUID() })).toMatchObject({
        status: 403,
        body: { code: 'proof-required', methods: ['password'] },
      })
    const { user: owner } = await made.withPasskey()
    for (const name of calls)
      expect(await owner.ask(name, { proof: randomUUID() })).toMatchObject({
        status: 403,
        body: { methods: ['passkey', 'recovery-code'] },
      })
  })

  test('an owner renames and removes passkeys; recovery codes go with the last one', async () => {
    const { user, device } = await made.withPasskey()
    const [passkey] = (await user.call('getFactors')).passkeys
    const params = { id: passkey?.id ?? '' }
    const other = await world.user()
    expect((await other.ask('renamePasskey', { params, body: { name: 'Mine' } })).status).toBe(404)
    expect((await other.ask('removePasskey', { params })).status).toBe(404)
    await user.call('renamePasskey', { params, body: { name: 'Old phone' } })
    expect((await user.call('getFactors')).passkeys[0]?.name).toBe('Old phone')
    expect(
      await user.ask('removePasskey', { params, proof: randomUUID() }),
      'by itself too',
    ).toMatchObject({ status: 403, body: { methods: ['passkey', 'recovery-code'] } })
    const signed = device.assert(await user.call('getPasskeyChallenge'))
    const proven = await user.ask('makeProof', {
      body: { action: 'removePasskey', id: params.id, passkey: signed },
    })
    await user.call('removePasskey', { params, proof: proven.body.id })
    expect(await user.call('getFactors')).toEqual({
      passkeys: [],
      authenticatorSince: null,
      recoveryCodesLeft: 0,
    })
    expect(
      (await made.signIn(device.assert(await world.stranger().call('getPasskeyChallenge'))))
        .statusCode,
    ).toBe(422)
  })

  test('a passkey is unavailable at an address without a domain name', async () => {
    const { config } = world.context
    for (const host of ['127.0.0.1:5000', '[::1]:5000']) {
      const answer = await world.app.inject({
        url: routes.getPasskeyChallenge.path,
        headers: { host },
      })
      expect([answer.statusCode, answer.json().code], `${host} ${config.PUBLIC_URL}`).toEqual([
        422,
        'passkey-unavailable',
      ])
    }
  })

  test('a passkey is bound to PUBLIC_URL, and another host gets no challenge', async () => {
    const own = await createWorld({ config: { PUBLIC_URL: 'https://bots.example' } })
    const challengeAt = async (host: string) =>
      (await own.app.inject({ url: routes.getPasskeyChallenge.path, headers: { host } })).json()
    expect(await challengeAt('bots.example')).toMatchObject({ rpId: 'bots.example' })
    expect(await challengeAt('evil.example')).toMatchObject({ code: 'wrong-host' })
    await own.close()
  })
})

test('a user has ten passkeys at most', async () => {
  const { user, device } = await made.withPasskey()
  await world.context.sql`
    insert into passkeys (user_id, id, credential_id, public_key, counter, transports, name)
    select ${user.id}::uuid, gen_random_uuid(), 'c' || n, '\\x00', 0, '{}', 'n'
      from generate_series(1, 9) n`
  await sealAccount(world.context, user.id)
  const passkey = device.assert(await user.call('getPasskeyChallenge'))
  const proven = await user.ask('makeProof', { body: { action: 'startPasskey', passkey } })
  expect(await user.ask('startPasskey', { proof: proven.body.id })).toMatchObject({
    status: 422,
    body: { code: 'too-many-passkeys' },
  })
})

test('recovery codes are made only if they are shown, together with a factor', async () => {
  const { user, secret } = await made.withApp()
  const useUp = () =>
    world.context.sql`update recovery_codes set used_at = now() where user_id = ${user.id}`
  const device = makeSoftPasskey(ORIGIN)
  const addPasskey = async () => {
    const proven = await user.ask('makeProof', {
      body: { action: 'startPasskey', code: made.nextCode(secret) },
    })
    return user.call('addPasskey', {
      body: device.create(await user.call('startPasskey', { proof: proven.body.id })),
    })
  }
  await useUp()
  expect((await addPasskey()).recoveryCodes).toHaveLength(10)
  await useUp()
  const passkey = device.assert(await user.call('getPasskeyChallenge'))
  const proven = await user.ask('makeProof', { body: { action: 'removeAuthenticator', passkey } })
  await user.call('removeAuthenticator', { proof: proven.body.id })
  expect(await user.call('getFactors')).toMatchObject({
    authenticatorSince: null,
    recoveryCodesLeft: 0,
  })
})

test('a bank account is added with a passkey', async () => {
  const { user, device } = await made.withPasskey()
  const passkey = device.assert(await user.call('getPasskeyChallenge'))
  const proven = await user.ask('makeProof', {
    body: { action: 'addBankAccount', request: BANK_ACCOUNT, passkey },
  })
  expect(
    (await user.ask('addBankAccount', { body: BANK_ACCOUNT, proof: proven.body.id })).status,
  ).toBe(201)
})

test('changes of passkeys: the seal of every account is valid afterwards', async () => {
  expect(await brokenAccounts(world.context)).toEqual([])
})
