import { Refusal } from '#core/refusal.ts'
import { COMMON_PASSWORDS } from './common-passwords.ts'

/** Lengths of what people type to sign up or log in, in characters. */
export const LENGTHS = {
  username: { minimum: 3, maximum: 50 },
  password: { minimum: 6, maximum: 100 },
  firstName: { minimum: 1, maximum: 50 },
  lastName: { minimum: 1, maximum: 50 },
} as const

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/

/** The form in which a username is unique: compatibility forms folded, case ignored. */
export function usernameKey(username: string): string {
  return username.normalize('NFKC').toLowerCase()
}

/** The form in which an email address is unique. */
export function emailKey(email: string): string {
  return email.normalize('NFKC').toLowerCase()
}

/** Letters, digits, underscore, dot and hyphen: nothing that could imitate another name. */
export function isUsername(username: string): boolean {
  return /^[A-Za-z0-9_.-]{3,50}$/.test(username.normalize('NFKC'))
}

/** True for the most common passwords, and for one that equals the username. */
export function isCommonPassword(password: string, username: string): boolean {
  const key = password.toLowerCase()
  return COMMON_PASSWORDS.has(key) || key === usernameKey(username)
}

/** Refuses text outside of the lengths of its field. */
export function checkLength(field: keyof typeof LENGTHS, text: string): void {
  const { minimum, maximum } = LENGTHS[field]
  if (text.length === 0) throw new Refusal('required', { field })
  if (text.length < minimum) throw new Refusal('text-too-short', { field, values: { minimum: String(minimum) } })
  if (text.length > maximum) throw new Refusal('text-too-long', { field, values: { maximum: String(maximum) } })
}

/** Refuses a new username of the wrong length, or with characters that could imitate another name. */
export function checkUsername(username: string): void {
  checkLength('username', username)
  if (!isUsername(username)) throw new Refusal('username-invalid', { field: 'username' })
}

/** Refuses text that cannot be an email address. The empty text stands for none. */
export function checkEmail(email: string): void {
  if (email !== '' && !EMAIL.test(email)) throw new Refusal('email-invalid', { field: 'email' })
}

/** Refuses a password below `minimum` characters or too easily guessed. `field` is the input's name. */
export function refuseWeakPassword(password: string, { username, minimum, field }: { username: string; minimum: number; field: string }): void {
  if (password.length < minimum) throw new Refusal('text-too-short', { field, values: { minimum: String(minimum) } })
  if (isCommonPassword(password, username)) throw new Refusal('common-password', { field })
}
