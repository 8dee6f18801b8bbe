import { Secret, TOTP } from 'otpauth'
import { routes } from '#contract/routes.ts'
import { makeSoftPasskey, type SoftPasskey } from './soft-passkey.ts'
import { createWorld, PASSWORD, type TestUser, type World } from './world.ts'

export const ATTEMPTS = 5
export const ORIGIN = 'http://localhost'
export const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' }
export const WITHDRAWAL = { amount: '20' }

/** Users with second factors, in a world of their own. */
export type FactorWorld = {
  world: World
  /** Advances the product's clock. */
  pass: (seconds: number) => void
  /** The code that an authenticator app shows, `periods` from now. */
  codeAt: (secret: string, periods: number) => string
  /** A code of another period than the last code, because each code counts once. */
  nextCode: (secret: string) => string
  /** A user with money and a bank account, who has just signed up. */
  saver: () => Promise<TestUser>
  withApp: () => Promise<{ user: TestUser; secret: string; codes: string[] }>
  withPasskey: () => Promise<{ user: TestUser; device: SoftPasskey; codes: string[] }>
  login: (body: object) => ReturnType<typeof post>
  signIn: (passkey: object) => ReturnType<typeof post>
}

function post(world: World, path: string, payload: object) {
  return world.app.inject({ method: 'POST', url: path, payload, headers: SAME_ORIGIN })
}

export async function createFactorWorld(): Promise<FactorWorld> {
  let offsetMs = 0
  const now = () => new Date(Date.now() + offsetMs)
  const pass = (seconds: number) => void (offsetMs += seconds * 1_000)
  const world = await createWorld({ config: { LOGIN_ATTEMPTS: ATTEMPTS }, context: { now } })
  const codeAt = (secret: string, periods: number) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({
      timestamp: now().getTime() + periods * 30_000,
    })
  const nextCode = (secret: string) => {
    pass(30)
    return codeAt(secret, 0)
  }
  const saver = async () => {
    const user = await world.user()
    await user.deposit('1000')
    await user.addBankAccount()
    return user
  }
  return {
    world,
    pass,
    codeAt,
    nextCode,
    saver,
    withApp: async () => {
      const user = await saver()
      const { secret } = await user.call('startAuthenticator')
      const { recoveryCodes } = await user.call('addAuthenticator', {
        body: { code: nextCode(secret) },
      })
      return { user, secret, codes: recoveryCodes }
    },
    withPasskey: async () => {
      const user = await saver()
      const device = makeSoftPasskey(ORIGIN)
      const { recoveryCodes } = await user.call('addPasskey', {
        body: device.create(await user.call('startPasskey')),
      })
      return { user, device, codes: recoveryCodes }
    },
    login: (body) => post(world, routes.login.path, body),
    signIn: (passkey) => post(world, routes.loginWithPasskey.path, { passkey }),
  }
}

export const credentials = ({ username }: TestUser) => ({ username, password: PASSWORD })

/**
 * Tries to prove identity for a withdrawal with `given`; returns the proof's id if that succeeds.
 */
export async function prove(
  user: TestUser,
  given: object,
): Promise<{ status: number; code: string | undefined; id: string }> {
  const { status, body } = await user.ask('makeProof', {
    body: { action: 'requestWithdrawal', request: WITHDRAWAL, ...given },
  })
  return { status, code: body.code, id: body.id }
}

export const withdraw = (user: TestUser, proof: string) =>
  user.ask('requestWithdrawal', { body: WITHDRAWAL, proof })

/** The user's own audit events in their order, with the kind of factor where they have one. */
export async function auditOf(world: World, { id }: TestUser): Promise<string[]> {
  const rows = await world.context.sql<{ action: string; kind: string | null }[]>`
    select action, details ->> 'kind' as kind from audit_events where subject = ${id} order by id`
  return rows.map(({ action, kind }) => [action, kind].filter(Boolean).join(' '))
}

export const times = <Item>(count: number, make: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => make(index))
