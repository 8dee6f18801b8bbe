import { z } from 'zod'
import { LENGTHS } from '#core/auth/credentials.ts'
import { length, SecondFactorCode } from './auth.ts'
import { Id, Name, Timestamp } from './wire.ts'

/** Answers of WebAuthn without attestation are far shorter. */
const Base64Url = z
  .string()
  .max(4_000)
  .regex(/^[\w-]+$/)

/**
 * The signed answer of a device that has a passkey: the parts of WebAuthn's answer that the server
 * checks.
 */
export const PasskeyAssertion = z.strictObject({
  id: Base64Url.max(1_400),
  clientDataJSON: Base64Url,
  authenticatorData: Base64Url,
  signature: Base64Url,
  /** Whose passkey it is; a device leaves it out where it is asked for a certain passkey. */
  userHandle: Base64Url.max(100).optional(),
})
export type PasskeyAssertion = z.infer<typeof PasskeyAssertion>

export const PasskeyLoginRequest = z.strictObject({ passkey: PasskeyAssertion })

/** The text that a passkey signs, once and within a quarter of an hour. */
export const PasskeyChallenge = z.strictObject({ challenge: z.string(), rpId: z.string() })
export type PasskeyChallenge = z.infer<typeof PasskeyChallenge>

/** The options of WebAuthn with which a device makes a passkey. */
export const PasskeyCreation = z.strictObject({
  challenge: z.string(),
  rp: z.strictObject({ id: z.string(), name: z.string() }),
  user: z.strictObject({ id: z.string(), name: z.string(), displayName: z.string() }),
  /** Passkeys of the user: a device that has one of them makes no second. */
  excludeCredentials: z.array(z.strictObject({ id: z.string(), type: z.literal('public-key') })),
})
export type PasskeyCreation = z.infer<typeof PasskeyCreation>

const PasskeyName = length(LENGTHS.passkeyName, Name)

export const AddPasskeyRequest = z.strictObject({
  id: Base64Url.max(1_400),
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

export const RenamePasskeyRequest = z.strictObject({ name: PasskeyName })

/** New recovery codes where the user had none; they are shown once. */
export const FactorAdded = z.strictObject({ recoveryCodes: z.array(z.string()) })
export type FactorAdded = z.infer<typeof FactorAdded>

export const RecoveryCodes = z.strictObject({ recoveryCodes: z.array(z.string()) })

/**
 * The secret for an authenticator app: as an address, which a QR code holds, and by itself, to be
 * typed.
 */
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

/** The user's second factors. Nothing in it can be used to sign in. */
export const Factors = z.strictObject({
  passkeys: z.array(Passkey),
  /** Null without an authenticator app. */
  authenticatorSince: Timestamp.nullable(),
  recoveryCodesLeft: z.int().nonnegative(),
})
export type Factors = z.infer<typeof Factors>
