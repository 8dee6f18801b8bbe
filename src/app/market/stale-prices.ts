import type { Prices } from '#contract/market.ts'
import { usePrices } from '#app/api/queries.ts'

/**
 * The time (ISO 8601) of the oldest stale price, or undefined. With `symbols`, one stale price
 * among them is enough; without, all prices must be stale.
 */
export function useStalePricesSince(symbols: readonly string[] | undefined): string | undefined {
  const prices = usePrices().data
  return prices && stalePricesSince(prices, symbols)
}

export function stalePricesSince(
  prices: Prices,
  symbols: readonly string[] | undefined,
): string | undefined {
  const shown = Object.entries(prices).filter(
    ([symbol]) => symbols === undefined || symbols.includes(symbol),
  )
  const stale = shown.filter(([, price]) => price.stale).map(([, { at }]) => at)
  const isStale = symbols === undefined ? stale.length === shown.length : stale.length > 0
  return isStale ? stale.toSorted()[0] : undefined
}
