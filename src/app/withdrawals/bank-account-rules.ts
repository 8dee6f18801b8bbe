import { isRoutingNumber } from '#core/withdrawals/bank-account.ts'

export type BankAccountFields = { bankName: string; accountNumber: string; routingNumber: string }

/** What is wrong with a new bank account, by field. The sentences are the server's. */
export function checkBankAccountFields({ bankName, accountNumber, routingNumber }: BankAccountFields): Partial<BankAccountFields> {
  return {
    ...(bankName.trim() === '' ? { bankName: 'Required' } : {}),
    ...(isRoutingNumber(routingNumber) ? {} : { routingNumber: 'This is not a valid US routing number.' }),
    ...(/^\d{4,17}$/.test(accountNumber) ? {} : { accountNumber: 'An account number has 4 to 17 digits.' }),
  }
}
