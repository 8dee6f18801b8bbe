import { Refusal } from '#core/refusal.ts'

/** The provider checks whether the card exists. */
export function checkCardNumber(digits: string): void {
  if (!/^\d{12,19}$/.test(digits)) throw new Refusal('card-number-invalid', { field: 'number' })
}

/** Reads '12/28' or '12/2028'. The provider refuses expired cards. */
export function readExpiry(text: string): { expMonth: number; expYear: number } {
  const [, month, year] = /^(0[1-9]|1[0-2])\/(?:20)?(\d{2})$/.exec(text) ?? []
  if (month === undefined) throw new Refusal('card-expiry-invalid', { field: 'expiry' })
  return { expMonth: Number(month), expYear: 2000 + Number(year) }
}

export function checkCvc(digits: string): void {
  if (!/^\d{3,4}$/.test(digits)) throw new Refusal('card-cvc-invalid', { field: 'cvc' })
}
