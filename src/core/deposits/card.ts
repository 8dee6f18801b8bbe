import { Refusal } from '#core/refusal.ts'

/**
 * Refuses digits that cannot be a card number. Whether the card exists is for the provider to say.
 */
export function checkCardNumber(digits: string): void {
  if (!/^\d{12,19}$/.test(digits)) throw new Refusal('card-number-invalid', { field: 'number' })
}

/**
 * Month and year of '12/28' or '12/2028'. Refuses any other text; whether the card has expired is
 * for the provider to say.
 */
export function readExpiry(text: string): { expMonth: number; expYear: number } {
  const [, month, year] = /^(0[1-9]|1[0-2])\/(?:20)?(\d{2})$/.exec(text) ?? []
  if (month === undefined) throw new Refusal('card-expiry-invalid', { field: 'expiry' })
  return { expMonth: Number(month), expYear: 2000 + Number(year) }
}

export function checkCvc(digits: string): void {
  if (!/^\d{3,4}$/.test(digits)) throw new Refusal('card-cvc-invalid', { field: 'cvc' })
}
