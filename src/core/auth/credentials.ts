import { Refusal } from '#core/refusal.ts'
import { COMMON_PASSWORDS } from './common-passwords.ts'

/** A name as it must be unique: compatibility forms folded, case ignored. */
export function usernameKey(username: string): string {
  return username.normalize('NFKC').toLowerCase()
}

/** An address as it must be unique. */
export function emailKey(email: string): string {
  return email.normalize('NFKC').toLowerCase()
}

/** Letters, digits, underscore, dot and hyphen: nothing that could imitate another name. */
export function isUsername(username: string): boolean {
  return /^[A-Za-z0-9_.-]{3,50}$/.test(username.normalize('NFKC'))
}

/** Whether a password is among the most common ones, or says no more than the user's own name. */
export function isCommonPassword(password: string, username: string): boolean {
  const key = password.toLowerCase()
  return COMMON_PASSWORDS.has(key) || key === usernameKey(username)
}

/** Refuses a password below `minimum` characters or too easily guessed, naming the `field` it stands in. */
export function refuseWeakPassword(password: string, { username, minimum, field }: { username: string; minimum: number; field: string }): void {
  if (password.length < minimum) throw new Refusal('invalid-input', { field, sentence: `String must contain at least ${minimum} character(s)` })
  if (isCommonPassword(password, username)) throw new Refusal('common-password', { field })
}
