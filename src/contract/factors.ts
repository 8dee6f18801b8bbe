import { z } from 'zod'
import { LENGTHS } from '#core/auth/credentials.ts'
import { length, SecondFactorCode } from './auth.ts'
import { Id, Name, Timestamp } from './wire.ts'

/** Far above WebAuthn's answers without attestation. */
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
  /** Existing passkeys: a device that has one of them does not make another. */
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

/** Shown once. With an added factor: only for the user's first. */
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
