import { unitsToDecimal } from '#core/money/decimal.ts'
import type { Units } from '#core/money/amount.ts'
import { Refusal } from '#core/refusal.ts'

export type DepositLimits = { minimum: Units; maximum: Units }

/** Refuses an amount outside the limits (units of USD); what is credited later is what the provider says was paid. */
export function checkDeposit(amount: Units, { minimum, maximum }: DepositLimits): void {
  if (amount < minimum) {
    throw new Refusal('deposit-below-minimum', { field: 'amount', sentence: `Minimum deposit amount is $${whole(minimum)}` })
  }
  if (amount > maximum) {
    throw new Refusal('deposit-above-maximum', { field: 'amount', sentence: `Maximum deposit amount is $${whole(maximum)}` })
  }
}

function whole(amount: Units): string {
  return unitsToDecimal(amount, 0).replace(/\B(?=(\d{3})+$)/g, ',')
}
