import { compareAmounts, readAmount } from '#app/ui/money/amount-text.ts'

export type Complaint = { title: string; description: string }

/** What is wrong with an amount to deposit; limits are dollars as decimal text. */
export function checkDepositAmount(typed: string, { minimum, maximum }: { minimum: string; maximum: string }): Complaint | undefined {
  const amount = readAmount(typed)
  if (amount === undefined) return { title: 'Invalid Amount', description: `Please enter a valid amount (minimum $${plain(minimum)}).` }
  if (compareAmounts(amount, minimum) < 0) return { title: 'Invalid Amount', description: `Minimum deposit amount is $${plain(minimum)}` }
  if (compareAmounts(amount, maximum) > 0) return { title: 'Invalid Amount', description: `Maximum deposit amount is $${plain(maximum)}` }
  return undefined
}

/** '10000.00' as '10,000': limits are whole dollars. */
function plain(limit: string): string {
  return (limit.split('.')[0] ?? limit).replace(/\B(?=(\d{3})+$)/g, ',')
}
