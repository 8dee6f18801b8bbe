import { Refusal } from '#core/refusal.ts'

/** In characters. */
export const LENGTHS = {
  username: { minimum: 3, maximum: 50 },
  password: { minimum: 6, maximum: 100 },
  firstName: { minimum: 1, maximum: 50 },
  lastName: { minimum: 1, maximum: 50 },
  passkeyName: { minimum: 1, maximum: 50 },
  keyName: { minimum: 1, maximum: 50 },
} as const

/** In characters. Source: RFC 5321, 4.5.3.1.3. */
export const LONGEST_EMAIL = 254

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/

/**
 * Two usernames with the same key count as the same name: compatibility forms are folded, case is
 * ignored.
 */
export function usernameKey(username: string): string {
  return username.normalize('NFKC').toLowerCase()
}

export function emailKey(email: string): string {
  return email.normalize('NFKC').toLowerCase()
}

export function checkLength(field: keyof typeof LENGTHS, text: string): void {
  const { minimum, maximum } = LENGTHS[field]
  if (text.length === 0) throw new Refusal('required', { field })
  if (text.length < minimum)
    throw new Refusal('text-too-short', { field, values: { minimum: String(minimum) } })
  if (text.length > maximum)
    throw new Refusal('text-too-long', { field, values: { maximum: String(maximum) } })
}

/** Refuses a wrong length, and characters that could imitate another name. */
export function checkUsername(username: string): void {
  checkLength('username', username)
  if (!/^[A-Za-z0-9_.-]{3,50}$/.test(username.normalize('NFKC')))
    throw new Refusal('username-invalid', { field: 'username' })
}

export function checkEmail(email: string): void {
  if (email.length > LONGEST_EMAIL)
    throw new Refusal('text-too-long', {
      field: 'email',
      values: { maximum: String(LONGEST_EMAIL) },
    })
  if (email !== '' && !EMAIL.test(email)) throw new Refusal('email-invalid', { field: 'email' })
}

type PasswordContext = {
  username: string
  minimum: number
  field: string
  isCommon: boolean
  isBreached: boolean
}

export function refuseWeakPassword(
  password: string,
  { username, minimum, field, isCommon, isBreached }: PasswordContext,
): void {
  if (password.length < minimum)
    throw new Refusal('text-too-short', { field, values: { minimum: String(minimum) } })
  if (isCommon || password.toLowerCase() === usernameKey(username))
    throw new Refusal('common-password', { field })
  if (isBreached) throw new Refusal('breached-password', { field })
}

/** A hint while typing, from 0 (no password) to 4. Only the password lists refuse a password. */
export function passwordStrength(password: string): 0 | 1 | 2 | 3 | 4 {
  // Repetitions and runs (aaaa, 1234) make a password little harder to guess.
  const letters = [...password]
  const surprising = letters.filter(
    (letter, index) => Math.abs(codeOf(letter) - codeOf(letters[index - 1])) > 1,
  ).length
  const worth = Math.min(surprising, 2 * new Set(letters).size)
  if (letters.length === 0) return 0
  if (worth < 8) return 1
  if (worth < 12) return 2
  return worth < 16 ? 3 : 4
}

const codeOf = (letter = ''): number => letter.codePointAt(0) ?? -2
