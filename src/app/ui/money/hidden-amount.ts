import { moneyText, type MoneyStyle } from '#core/money/text.ts'
import { useHiddenBalance } from '#app/ui/device/hidden-balance.ts'

/** What stands in place of an amount that the user hides. Of one length, so that it does not tell the size of the amount. */
export const HIDDEN_AMOUNT = { shown: '$••••••', spoken: 'Hidden' }

/** Prices belong to the market and are never hidden. */
export function isHideable({ precision }: Pick<MoneyStyle, 'precision'>): boolean {
  return precision !== 'price'
}

/** Prints the user's own amounts in sentences. */
export function useMoneyText(): (style: MoneyStyle) => string {
  const { hidden } = useHiddenBalance()
  return (style) => (hidden && isHideable(style) ? HIDDEN_AMOUNT.shown : moneyText(style))
}
