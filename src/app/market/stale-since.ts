import type { Prices } from '#contract/market.ts'
import { usePrices } from '#app/api/queries.ts'

/** From when the oldest of the prices is, where one of `symbols` is stale, or, where none are named, every price there is; else undefined. */
export function useStaleSince(symbols: readonly string[] | undefined): string | undefined {
  const prices = usePrices().data
  return prices && staleSince(prices, symbols)
}

export function staleSince(prices: Prices, symbols: readonly string[] | undefined): string | undefined {
  const shown = Object.entries(prices).filter(([symbol]) => symbols === undefined || symbols.includes(symbol))
  const stale = shown.filter(([, price]) => price.stale).map(([, { at }]) => at)
  const isTold = symbols === undefined ? stale.length === shown.length : stale.length > 0
  return isTold ? stale.toSorted()[0] : undefined
}
