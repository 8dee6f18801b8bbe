export type CardFields = { number: string; expiry: string; cvc: string }
export type CardErrors = Partial<Record<keyof CardFields, string>>
export type Card = { number: string; expMonth: number; expYear: number; cvc: string }

/** '4242424242424242' as '4242 4242 4242 4242', digits only, while it is typed. */
export function groupCardNumber(typed: string): string {
  return typed
    .replace(/\D/g, '')
    .slice(0, 19)
    .replace(/(.{4})(?=.)/g, '$1 ')
}

/** '1228' as '12/28' while it is typed. */
export function groupExpiry(typed: string): string {
  const digits = typed.replace(/\D/g, '').slice(0, 4)
  return digits.length > 2 ? `${digits.slice(0, 2)}/${digits.slice(2)}` : digits
}

/** The card as the server takes it, or what is wrong with it. Whether the card has expired is the provider's to say. */
export function readCard({ number, expiry, cvc }: CardFields): { card: Card } | { errors: CardErrors } {
  const digits = number.replace(/\D/g, '')
  const date = /^(0[1-9]|1[0-2])\/(\d{2})$/.exec(expiry)
  const errors: CardErrors = {
    ...(/^\d{12,19}$/.test(digits) ? {} : { number: 'Enter the 12 to 19 digits of the card' }),
    ...(date ? {} : { expiry: 'Enter the date as MM/YY' }),
    ...(/^\d{3,4}$/.test(cvc) ? {} : { cvc: 'Enter the 3 or 4 digits' }),
  }
  if (!date || Object.keys(errors).length > 0) return { errors }
  return { card: { number: digits, expMonth: Number(date[1]), expYear: 2000 + Number(date[2]), cvc } }
}
