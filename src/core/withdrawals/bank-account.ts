import { isOneLine, ONE_LINE_SENTENCE, tidyName } from '#core/one-line.ts'
import { Refusal } from '#core/refusal.ts'

/**
 * ABA routing number: nine digits that, weighted by 3, 7, 1, sum to a multiple of 10. All zeros
 * pass that checksum but belong to no bank. Source: ABA Routing Number Policy.
 */
export function isRoutingNumber(text: string): boolean {
  if (!/^[0-9]{9}$/.test(text) || /^0+$/.test(text)) return false
  const weights = [3, 7, 1, 3, 7, 1, 3, 7, 1]
  const sum = [...text].reduce(
    (total, digit, index) => total + Number(digit) * (weights[index] ?? 0),
    0,
  )
  return sum % 10 === 0
}

export function checkBankAccount({
  accountNumber,
  routingNumber,
}: {
  accountNumber: string
  routingNumber: string
}): void {
  checkAccountNumber(accountNumber)
  checkRoutingNumber(routingNumber)
}

/** In characters. */
export const LONGEST_BANK_NAME = 100

export function checkBankName(text: string): void {
  const name = tidyName(text)
  if (name === '') throw new Refusal('required', { field: 'bankName' })
  if (name.length > LONGEST_BANK_NAME)
    throw new Refusal('text-too-long', {
      field: 'bankName',
      values: { maximum: String(LONGEST_BANK_NAME) },
    })
  if (!isOneLine(name))
    throw new Refusal('invalid-input', { field: 'bankName', sentence: ONE_LINE_SENTENCE })
}

/** Refuses anything but 4 to 17 digits, and zeros alone, which are no account number. */
export function checkAccountNumber(text: string): void {
  if (!/^[0-9]{4,17}$/.test(text) || /^0+$/.test(text))
    throw new Refusal('account-number-invalid', { field: 'accountNumber' })
}

export function checkRoutingNumber(text: string): void {
  if (!isRoutingNumber(text))
    throw new Refusal('routing-number-invalid', { field: 'routingNumber' })
}
