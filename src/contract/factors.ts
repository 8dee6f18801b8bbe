import { z } from 'zod'
import { LENGTHS } from '#core/auth/credentials.ts'
import type { CallRows } from './call-row.ts'
import { length, SecondFactorCode, User } from './auth.ts'
import { Id, Name, Timestamp, Nothing } from './wire.ts'

/** The limit is far above the length of WebAuthn's answers without attestation. */
const Base64Url = z
  .string()
  .max(4_000)
  .regex(/^[\w-]+$/)

const PasskeyId = Base64Url.max(1_400)

/** The parts of WebAuthn's answer that the server checks. */
export const PasskeyAssertion = z.strictObject({
  id: PasskeyId,
  clientDataJSON: Base64Url,
  authenticatorData: Base64Url,
  signature: Base64Url,
  /** The passkey's owner; devices omit it if the request names the passkey. */
  userHandle: Base64Url.max(100).optional(),
})
export type PasskeyAssertion = z.infer<typeof PasskeyAssertion>

export const PasskeyLoginRequest = z.strictObject({ passkey: PasskeyAssertion })

/** A challenge to be signed once, within a quarter of an hour. */
export const PasskeyChallenge = z.strictObject({ challenge: z.string(), rpId: z.string() })

export const PasskeyCreation = z.strictObject({
  challenge: z.string(),
  rp: z.strictObject({ id: z.string(), name: z.string() }),
  user: z.strictObject({ id: z.string(), name: z.string(), displayName: z.string() }),
  /** The user's passkeys, so that a device that has one does not make another. */
  excludeCredentials: z.array(z.strictObject({ id: z.string(), type: z.literal('public-key') })),
})
export type PasskeyCreation = z.infer<typeof PasskeyCreation>

export const AddPasskeyRequest = z.strictObject({
  id: PasskeyId,
  clientDataJSON: Base64Url,
  attestationObject: Base64Url,
  transports: z
    .array(
      z
        .string()
        .max(30)
        .regex(/^[a-z-]+$/),
    )
    .max(10),
})
export type AddPasskeyRequest = z.infer<typeof AddPasskeyRequest>

export const RenamePasskeyRequest = z.strictObject({ name: length(LENGTHS.passkeyName, Name) })

/** Shown only once. Adding a factor returns codes only if it is the user's first factor. */
export const RecoveryCodes = z.strictObject({ recoveryCodes: z.array(z.string()) })

/** `uri`: for a QR code. */
export const AuthenticatorStart = z.strictObject({ secret: z.string(), uri: z.string() })
export type AuthenticatorStart = z.infer<typeof AuthenticatorStart>

export const AddAuthenticatorRequest = z.strictObject({ code: SecondFactorCode })

export const Passkey = z.strictObject({
  id: Id,
  name: z.string(),
  createdAt: Timestamp,
  lastUsedAt: Timestamp.nullable(),
})
export type Passkey = z.infer<typeof Passkey>

/** A user's second factors, without their secrets. */
export const Factors = z.strictObject({
  passkeys: z.array(Passkey),
  authenticatorSince: Timestamp.nullable(),
  recoveryCodesLeft: z.int().nonnegative(),
})
export type Factors = z.infer<typeof Factors>

export const factorCalls = {
  getPasskeyChallenge: {
    summary: 'Get a challenge for a passkey to sign',
    access: 'both',
    response: PasskeyChallenge,
    problems: ['passkey-unavailable'],
  },
  loginWithPasskey: {
    summary: 'Sign in with a passkey',
    access: 'public',
    body: PasskeyLoginRequest,
    response: User,
    problems: ['wrong-credentials', 'wrong-passkey', 'passkey-unavailable', 'account-locked'],
  },
  getFactors: {
    summary: 'Your passkeys, authenticator and recovery codes, without their secrets',
    access: 'user',
    response: Factors,
  },
  startPasskey: {
    summary: 'Get the values from which a device makes a passkey',
    access: 'user',
    proof: 'always',
    response: PasskeyCreation,
    problems: ['too-many-passkeys', 'passkey-unavailable'],
  },
  addPasskey: {
    summary: 'Add the passkey that a device made',
    access: 'user',
    body: AddPasskeyRequest,
    response: RecoveryCodes,
    status: 201,
    problems: ['wrong-passkey', 'passkey-unavailable', 'account-locked'],
  },
  renamePasskey: {
    summary: 'Rename a passkey',
    access: 'user',
    body: RenamePasskeyRequest,
    response: Nothing,
  },
  removePasskey: {
    summary: 'Remove a passkey',
    access: 'user',
    proof: 'always',
    response: Nothing,
  },
  startAuthenticator: {
    summary: 'Get the secret of a new authenticator',
    access: 'user',
    proof: 'always',
    response: AuthenticatorStart,
    problems: ['authenticator-exists'],
  },
  addAuthenticator: {
    summary: 'Add the authenticator by its first code',
    access: 'user',
    body: AddAuthenticatorRequest,
    response: RecoveryCodes,
    status: 201,
    problems: ['authenticator-expired', 'wrong-code', 'account-locked'],
  },
  removeAuthenticator: {
    summary: 'Remove the authenticator',
    access: 'user',
    proof: 'always',
    response: Nothing,
    problems: ['not-found'],
  },
  renewRecoveryCodes: {
    summary: 'Replace your recovery codes by new ones',
    access: 'user',
    proof: 'always',
    response: RecoveryCodes,
    problems: ['second-factor-missing'],
  },
} satisfies CallRows
