import { Secret, TOTP } from 'otpauth'
import { authenticatorCodeOf } from '#core/auth/recovery-code.ts'
import { auditUser } from '#server/security/audit.ts'
import type { Context } from '#server/context.ts'
import type { Book } from '#server/db/book.ts'
import type { Queries } from '#server/db/statement.ts'
import { unseal } from '#server/kernel/sealed.ts'
import { acceptStep, findAuthenticator, takeRecoveryCode } from './factor-store.ts'
import { recoveryHashOf } from './factors.ts'

/** Parameters that every authenticator app understands. Source: RFC 6238. */
const PARAMETERS = { issuer: 'Trading Bot', algorithm: 'SHA1', digits: 6, period: 30 } as const

const WINDOW = 1

export const newAuthenticatorSecret = (): string => new Secret({ size: 20 }).base32

/** The content of the QR code for an authenticator app. */
export function authenticatorUri({
  secret,
  username,
}: {
  secret: string
  username: string
}): string {
  return new TOTP({ ...PARAMETERS, label: username, secret: Secret.fromBase32(secret) }).toString()
}

/** The number of the code's period since 1970; undefined if the code is wrong at this time. */
export function stepOfCode({
  secret,
  code,
  at,
}: {
  secret: string
  code: string
  at: Date
}): number | undefined {
  const timestamp = at.getTime()
  const totp = new TOTP({ ...PARAMETERS, secret: Secret.fromBase32(secret) })
  const delta = totp.validate({ token: code, timestamp, window: WINDOW })
  return delta === null ? undefined : totp.counter({ timestamp }) + delta
}

type Typed = { userId: string; code: string }

/** Undefined if the code is wrong or was used before. */
export async function spendCode(
  context: Context,
  tx: Book,
  { userId, code }: Typed,
): Promise<'authenticator' | 'recovery-code' | undefined> {
  const digits = authenticatorCodeOf(code)
  if (digits !== undefined)
    return (await spendAppCode(context, tx.sql, { userId, code: digits }))
      ? 'authenticator'
      : undefined
  if (
    !(await takeRecoveryCode(tx.sql, { userId, hash: recoveryHashOf(context, { userId, code }) }))
  )
    return undefined
  await auditUser(context, tx, { userId, action: 'recovery-code.use' })
  return 'recovery-code'
}

async function spendAppCode(
  context: Context,
  tx: Queries,
  { userId, code }: Typed,
): Promise<boolean> {
  const stored = await findAuthenticator(tx, userId)
  return stored?.confirmedAt
    ? acceptCode(context, tx, { userId, code, secretSealed: stored.secretSealed })
    : false
}

/**
 * Threat: a code seen over a shoulder is valid for up to 90 seconds. So each code is accepted once,
 * and no code older than the last accepted one.
 */
export async function acceptCode(
  { config, now }: Context,
  tx: Queries,
  { userId, code, secretSealed }: Typed & { secretSealed: string },
): Promise<boolean> {
  const secret = unseal({
    sealed: secretSealed,
    userId,
    secret: config.SESSION_SECRET,
    purpose: 'authenticators',
  })
  const step = stepOfCode({ secret, code, at: now() })
  return step !== undefined && acceptStep(tx, { userId, step })
}
