import { typedDigits } from '#core/typed-text.ts'

/**
 * '4242424242424242' as '4242 4242 4242 4242' while it is typed. What is no digit stays, and the
 * form refuses it.
 */
export function groupCardNumber(typed: string): string {
  return typedDigits(typed).replace(/(.{4})(?=.)/g, '$1 ')
}

/** '1228' as '12/28' and '122028' as '12/2028' while it is typed. */
export function groupExpiry(typed: string): string {
  return typedDigits(typed).replace(/^(\d{2})(\d+)$/, '$1/$2')
}
