import { isUsername } from '#core/auth/credentials.ts'

export type LoginFields = { username: string; password: string }
export type SignupFields = LoginFields & { firstName: string; lastName: string; email: string }
export type PasswordChange = { currentPassword: string; newPassword: string }
export type FieldErrors<Fields> = Partial<Record<keyof Fields, string>>

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/

/** The messages of sign-up and login, before the server is asked. The server decides by the same limits. */
export function checkLogin({ username, password }: LoginFields): FieldErrors<LoginFields> {
  return found({
    username: checkLength(username, { minimum: 3, maximum: 50 }),
    password: checkLength(password, { minimum: 6, maximum: 100 }),
  })
}

export function checkSignup({ username, password, firstName, lastName, email }: SignupFields): FieldErrors<SignupFields> {
  return found({
    username: checkLength(username, { minimum: 3, maximum: 50 }) ?? checkUsername(username),
    password: checkLength(password, { minimum: 6, maximum: 100 }),
    firstName: checkLength(firstName, { minimum: 1, maximum: 50 }),
    lastName: checkLength(lastName, { minimum: 1, maximum: 50 }),
    email: email === '' || EMAIL.test(email) ? undefined : 'Invalid email',
  })
}

export function checkPasswordChange({ currentPassword, newPassword }: PasswordChange): FieldErrors<PasswordChange> {
  return found({
    currentPassword: checkLength(currentPassword, { minimum: 6, maximum: 100 }),
    newPassword: checkLength(newPassword, { minimum: 6, maximum: 100 }),
  })
}

function checkLength(text: string, { minimum, maximum }: { minimum: number; maximum: number }): string | undefined {
  if (text.length === 0) return 'Required'
  if (text.length < minimum) return `String must contain at least ${minimum} character(s)`
  if (text.length > maximum) return `String must contain at most ${maximum} character(s)`
  return undefined
}

function checkUsername(username: string): string | undefined {
  return isUsername(username) ? undefined : 'Use letters, digits, underscore, dot and hyphen'
}

function found<Key extends string>(checks: Record<Key, string | undefined>): Partial<Record<Key, string>> {
  const errors: Partial<Record<Key, string>> = {}
  for (const key in checks) {
    const message = checks[key]
    if (message !== undefined) errors[key] = message
  }
  return errors
}
