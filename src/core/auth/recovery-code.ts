import { typedDigits, typedText } from '#core/typed-text.ts'

/** Per user. */
export const RECOVERY_CODES = 10

/** Crockford's base 32, without look-alikes. Source: crockford.com/base32.html. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

/** 5 bits of each byte are used: 50 bits in total. */
export const RECOVERY_CODE_BYTES = 10

export function recoveryCodeOf(bytes: Uint8Array): string {
  const text = Array.from(bytes, (byte) => ALPHABET[byte % ALPHABET.length]).join('')
  return `${text.slice(0, 5)}-${text.slice(5)}`
}

/** Ignores case and separators, and reads the letters o, i and l as the digits 0 and 1. */
export function recoveryCodeKey(typed: string): string {
  const letters = typedText(typed).toLowerCase().replaceAll('o', '0').replaceAll(/[il]/g, '1')
  return letters.replaceAll(/[^0-9a-z]/g, '')
}

/** The six digits without separators; undefined for any other text. */
export function authenticatorCodeOf(typed: string): string | undefined {
  const digits = typedDigits(typed)
  return /^[0-9]{6}$/.test(digits) ? digits : undefined
}
