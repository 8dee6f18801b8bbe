import { hash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { isIP } from 'node:net'
import { Refusal } from '#core/refusal.ts'
import type { AddPasskeyRequest, PasskeyAssertion } from '#contract/factors.ts'
import { PASSKEY_ALGORITHMS } from '#core/auth/passkey-algorithms.ts'
import { readAccount } from '#server/security/account-seal.ts'
import type { Call } from '#server/action.ts'
import type { RouteName } from '#contract/routes.ts'
import type { Context } from '#server/context.ts'
import type { Queries } from '#server/db/statement.ts'
import { isId } from '#server/kernel/ids.ts'
import { siteOf } from '#server/settings/own-address.ts'
import { findPasskeyUse, notePasskeyUse, spendChallenge } from './factor-store.ts'

type Client = Call<RouteName>['client']

/** Loaded on first use, because it is large and rarely needed at the start. */
const library = () => import('@simplewebauthn/server')

/**
 * The site to which passkeys are bound. Refuses as 'passkey-unavailable' at an IP address, because
 * WebAuthn binds passkeys to names only.
 */
export function passkeySiteOf(
  { config }: Pick<Context, 'config'>,
  client: Client,
): { rpId: string; origin: string } {
  const { uri } = siteOf(config, client)
  const { hostname } = new URL(uri)
  if (isIP(hostname.replaceAll(/[[\]]/g, '')) !== 0) throw new Refusal('passkey-unavailable')
  return { rpId: hostname, origin: uri }
}

/** Purposes of a challenge. A challenge for one purpose is not accepted for another. */
export const PURPOSES = {
  signIn: 'sign-in',
  proof: (userId: string) => `proof:${userId}`,
  creation: ({ userId, sessionId }: { userId: string; sessionId: string }) =>
    `creation:${userId}:${sessionId}`,
}

/** A passkey's user handle is the user's id. */
export const handleOf = (userId: string): string => Buffer.from(userId).toString('base64url')

/** The user whom a passkey names; undefined if it names none. */
export function userOfHandle(handle: string | undefined): string | undefined {
  const id = Buffer.from(handle ?? '', 'base64url').toString()
  return isId(id) ? id : undefined
}

const answerOf = <Answer>(id: string, response: Answer) => ({
  id,
  rawId: id,
  type: 'public-key' as const,
  clientExtensionResults: {},
  response,
})

function expectationsOf(
  context: Context,
  { client, purpose }: Pick<Asserted, 'client' | 'purpose'>,
) {
  const { rpId, origin } = passkeySiteOf(context, client)
  let given = ''
  return {
    expected: {
      expectedChallenge: (challenge: string) => {
        given = challenge
        return isChallenge(context, { challenge, purpose })
      },
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: true,
    },
    /** False if the challenge was used before. */
    spend: (tx: Queries, userId: string): Promise<boolean> =>
      spendChallenge(tx, { userId, hash: hash('sha256', given, 'buffer') }),
  }
}

type Asserted = { userId: string; assertion: PasskeyAssertion; client: Client; purpose: string }

export type CheckedPasskey = { use: (tx: Queries) => Promise<boolean> }

/** Checks an assertion of a passkey of this user; undefined if it is wrong. */
export async function checkPasskey(
  context: Context,
  { userId, assertion, ...rest }: Asserted,
): Promise<CheckedPasskey | undefined> {
  const { expected, spend } = expectationsOf(context, rest)
  const { id, userHandle, ...signed } = assertion
  // Uses the sealed key. The counter is not sealed.
  const sealed = (await readAccount(context, userId))?.passkeys.find(
    ({ credentialId }) => credentialId === id,
  )
  const stored = sealed && (await findPasskeyUse(context.sql, { userId, credentialId: id }))
  if (!sealed || !stored) return undefined
  const { verifyAuthenticationResponse } = await library()
  const counter = await verifyAuthenticationResponse({
    ...expected,
    response: answerOf(id, { ...signed, ...(userHandle !== undefined && { userHandle }) }),
    credential: {
      id,
      publicKey: new Uint8Array(Buffer.from(sealed.publicKey, 'hex')),
      counter: Number(stored.counter),
    },
  }).then(
    ({ verified, authenticationInfo }) => (verified ? authenticationInfo.newCounter : undefined),
    () => undefined,
  )
  if (counter === undefined) return undefined
  return {
    use: async (tx) => {
      if (!(await spend(tx, userId))) return false
      await notePasskeyUse(tx, { userId, id: stored.id, counter })
      return true
    },
  }
}

type Created = { created: AddPasskeyRequest; client: Client; purpose: string }

type CheckedCreation = {
  publicKey: Uint8Array
  counter: number
  spend: (tx: Queries, userId: string) => Promise<boolean>
}

/** Checks a passkey that a device has just made; undefined if it is wrong. */
export async function checkCreation(
  context: Context,
  { created, ...rest }: Created,
): Promise<CheckedCreation | undefined> {
  const { expected, spend } = expectationsOf(context, rest)
  const { verifyRegistrationResponse } = await library()
  const { id, clientDataJSON, attestationObject } = created
  const credential = await verifyRegistrationResponse({
    ...expected,
    response: answerOf(id, { clientDataJSON, attestationObject }),
    supportedAlgorithmIDs: [...PASSKEY_ALGORITHMS],
  }).then(
    ({ verified, registrationInfo }) => (verified ? registrationInfo?.credential : undefined),
    () => undefined,
  )
  if (credential?.id !== id) return undefined
  const { publicKey, counter } = credential
  return { publicKey, counter, spend }
}

/**
 * Lifetime of a challenge. Long, because a log-in page may be open for a while before somebody
 * chooses a passkey.
 */
export const CHALLENGE_SECONDS = 900

const NONCE_BYTES = 16
const TIME_BYTES = 8
const MAC_BYTES = 32

type Making = Pick<Context, 'config' | 'now'>

/**
 * A challenge with signature and date. So it needs no table row, which floods would fill, and any
 * process can check it; `spendChallenge` makes it valid only once.
 */
export function newChallenge(context: Making, purpose: string): string {
  const body = Buffer.alloc(NONCE_BYTES + TIME_BYTES)
  randomBytes(NONCE_BYTES).copy(body)
  body.writeBigInt64BE(BigInt(context.now().getTime()), NONCE_BYTES)
  return Buffer.concat([body, macOf(context, { body, purpose })]).toString('base64url')
}

function isChallenge(
  context: Making,
  { challenge, purpose }: { challenge: string; purpose: string },
): boolean {
  const bytes = Buffer.from(challenge, 'base64url')
  if (bytes.length !== NONCE_BYTES + TIME_BYTES + MAC_BYTES) return false
  const body = bytes.subarray(0, NONCE_BYTES + TIME_BYTES)
  if (!timingSafeEqual(bytes.subarray(body.length), macOf(context, { body, purpose }))) return false
  const ageMs = context.now().getTime() - Number(body.readBigInt64BE(NONCE_BYTES))
  // Allows for slightly different clocks of two processes.
  return ageMs > -60_000 && ageMs < CHALLENGE_SECONDS * 1_000
}

function macOf({ config }: Making, { body, purpose }: { body: Buffer; purpose: string }): Buffer {
  return createHmac('sha256', config.SESSION_SECRET)
    .update(JSON.stringify(['passkey-challenge', purpose]))
    .update(body)
    .digest()
}
