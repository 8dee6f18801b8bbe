import { typedDigits, typedText } from '#core/typed-text.ts'

/** A user has ten at a time. */
export const RECOVERY_CODES = 10

/** Crockford's base 32: no letter looks like a digit. Source: crockford.com/base32.html. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

/** Each gives one character of 5 bits: 50 bits together. */
export const RECOVERY_CODE_BYTES = 10

/** 'k3f9w-07xqa', from random bytes. */
export function recoveryCodeOf(bytes: Uint8Array): string {
  const text = Array.from(bytes, (byte) => ALPHABET[byte % ALPHABET.length]).join('')
  return `${text.slice(0, 5)}-${text.slice(5)}`
}

/** The form in which a code is compared, whatever its capitals, blanks or look-alikes. */
export function recoveryCodeKey(typed: string): string {
  const letters = typedText(typed).toLowerCase().replaceAll('o', '0').replaceAll(/[il]/g, '1')
  return letters.replaceAll(/[^0-9a-z]/g, '')
}

/** The six digits of an authenticator app without separators; undefined if the text is none. */
export function authenticatorCodeOf(typed: string): string | undefined {
  const digits = typedDigits(typed)
  return /^[0-9]{6}$/.test(digits) ? digits : undefined
}
