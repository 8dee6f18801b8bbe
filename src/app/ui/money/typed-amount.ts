import { parseDecimal, unitsToDecimal } from '#core/money/decimal.ts'
import { TYPED_AMOUNT } from '#core/money/text.ts'
import { language, LANGUAGES } from '#words/language.ts'
import { plainDecimal, typedDecimal } from '#words/typed-figures.ts'
import { isPositiveAmount } from './amount-text.ts'

/**
 * Normalizes a typed amount to the server's format ('1,000.5' to '1000.5'); undefined if it is not
 * an amount.
 */
export function readAmount(typed: string): string | undefined {
  const plain = plainDecimal(typed)
  return TYPED_AMOUNT.test(plain) ? plain : undefined
}

/**
 * An amount as typed, with its language, for a draft. Needed because a later page may be in another
 * language, with another spelling.
 */
export function keptAmount(typed: string): string {
  return `${language()}:${typed}`
}

/**
 * The stored amount as the reader would type it. A text that was no amount in its own language is
 * dropped, because in another language it may be one.
 */
export function typedAmount(kept: string): string {
  const typedIn = LANGUAGES.find((one) => kept.startsWith(`${one}:`))
  if (typedIn === undefined) return kept
  const typed = kept.slice(typedIn.length + 1)
  if (typedIn === language()) return typed
  const plain = plainDecimal(typed, typedIn)
  return TYPED_AMOUNT.test(plain) ? typedDecimal(plain) : ''
}

/**
 * Whether nothing was typed that could be submitted: no text, or a number that is not above zero.
 * Other texts count as typed, so that the form refuses them.
 */
export function isTypedNothing(typed: string): boolean {
  const text = plainDecimal(typed)
  const units = parseDecimal(text)
  return text === '' || (units !== undefined && units <= 0n)
}

export function isTypedPositive(typed: string): boolean {
  return isPositiveAmount(readAmount(typed) ?? '0')
}

/**
 * `percent` of `amount`, floored to cents so that a shortcut never exceeds it; zero for negative
 * amounts.
 */
export function shareOf(amount: string, percent: 25 | 50 | 75 | 100): string {
  const units = parseDecimal(amount) ?? 0n
  return typedDecimal(unitsToDecimal(units > 0n ? (units * BigInt(percent)) / 100n : 0n, 2))
}
