import type { Units } from '#core/money/amount.ts'
import { englishMoneyText } from '#core/money/text.ts'
import { Refusal } from '#core/refusal.ts'

type DepositLimits = { minimum: Units; maximum: Units }

/**
 * `amount`: undefined for unreadable text. The amount credited later is the one that the provider
 * reports.
 */
export function checkDeposit(amount: Units | undefined, { minimum, maximum }: DepositLimits): void {
  const field = 'amount'
  if (amount === undefined)
    throw new Refusal('deposit-amount-invalid', { field, values: { minimum: limitText(minimum) } })
  if (amount < minimum)
    throw new Refusal('deposit-below-minimum', { field, values: { minimum: limitText(minimum) } })
  if (amount > maximum)
    throw new Refusal('deposit-above-maximum', { field, values: { maximum: limitText(maximum) } })
}

const limitText = (amount: Units): string => englishMoneyText({ amount, precision: 'whole' })
