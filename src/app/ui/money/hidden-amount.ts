import { type MoneyStyle } from '#core/money/text.ts'
import { moneyText, withDollar } from '#words/figures.ts'
import { useHiddenBalance } from '#app/ui/device/hidden-balance.ts'

/**
 * Stands in place of an amount that the user hides. Of one length, so that it does not give away
 * the size of the amount.
 */
export function hiddenText({ asset = 'USD' }: Pick<MoneyStyle, 'asset'> = {}): string {
  return asset === 'USD' ? withDollar('••••••') : `•••••• ${asset}`
}

/** Prices belong to the market and are never hidden. */
export function isHideable({ precision }: Pick<MoneyStyle, 'precision'>): boolean {
  return precision !== 'price'
}

/** Prints the user's own amounts in sentences. */
export function useMoneyText(): (style: MoneyStyle) => string {
  const { hidden } = useHiddenBalance()
  return (style) => (hidden && isHideable(style) ? hiddenText(style) : moneyText(style))
}
