import { compareAmounts, readAmount } from '#app/ui/money/amount-text.ts'

export type Complaint = { title: string; description: string }

const MINIMUM = '10'

/** What is wrong with an amount to withdraw, in the product's own order: nothing asked, more than is there, less than the minimum. */
export function checkWithdrawalAmount(typed: string, available: string): Complaint | undefined {
  const amount = readAmount(typed)
  if (amount === undefined || compareAmounts(amount, '0') <= 0) {
    return { title: 'Invalid Amount', description: 'Please enter a valid withdrawal amount' }
  }
  if (compareAmounts(amount, available) > 0) {
    return { title: 'Insufficient Balance', description: 'Withdrawal amount exceeds available balance' }
  }
  if (compareAmounts(amount, MINIMUM) < 0) return { title: 'Minimum Withdrawal', description: 'Minimum withdrawal amount is $10' }
  return undefined
}

/** Whether there is anything to submit: a positive amount. */
export function isPositiveAmount(typed: string): boolean {
  const amount = readAmount(typed)
  return amount !== undefined && compareAmounts(amount, '0') > 0
}
