import { Secret, TOTP } from 'otpauth'

/** Parameters that every authenticator app understands. Source: RFC 6238. */
const PARAMETERS = { issuer: 'Trading Bot', algorithm: 'SHA1', digits: 6, period: 30 } as const

/** Clocks of phones differ: a code of the period before or after counts too. */
const WINDOW = 1

/** A new secret of 160 bits, in base 32. */
export const newAuthenticatorSecret = (): string => new Secret({ size: 20 }).base32

/** The address that a QR code holds. */
export function authenticatorUri({
  secret,
  username,
}: {
  secret: string
  username: string
}): string {
  return new TOTP({ ...PARAMETERS, label: username, secret: Secret.fromBase32(secret) }).toString()
}

/**
 * The period of a code, as their number since 1970; undefined if the code is wrong at this time.
 */
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
