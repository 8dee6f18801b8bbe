import { Refusal } from '#core/refusal.ts'

/** Accounts a user may keep at once. */
export const MAXIMUM_BANK_ACCOUNTS = 10

/**
 * Whether nine digits are an ABA routing number: weights 3, 7, 1 sum to a multiple of 10, and not all zeros,
 * which pass the checksum and name no bank. Source: ABA Routing Number Policy.
 */
export function isRoutingNumber(text: string): boolean {
  if (!/^[0-9]{9}$/.test(text) || /^0+$/.test(text)) return false
  const weights = [3, 7, 1, 3, 7, 1, 3, 7, 1]
  const sum = [...text].reduce((total, digit, index) => total + Number(digit) * (weights[index] ?? 0), 0)
  return sum % 10 === 0
}

/** Refuses numbers that no US bank account can have: 4 to 17 digits, a routing number with a true checksum. */
export function checkBankAccount({ accountNumber, routingNumber }: { accountNumber: string; routingNumber: string }): void {
  if (!/^[0-9]{4,17}$/.test(accountNumber)) throw new Refusal('account-number-invalid', { field: 'accountNumber' })
  if (!isRoutingNumber(routingNumber)) throw new Refusal('routing-number-invalid', { field: 'routingNumber' })
}
