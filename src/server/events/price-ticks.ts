import type { Price, Prices, PriceTick, PriceTicks } from '#contract/market.ts'
import { overlap } from '#core/market/overlap.ts'

/**
 * The differences between two answers of `getPrices`. Of a symbol that is new, everything that can
 * change.
 */
export function ticksBetween(before: Prices, now: Prices): PriceTicks {
  const changed = Object.entries(now).flatMap(([symbol, price]) => {
    const tick = tickOf(before[symbol], price)
    return tick === undefined ? [] : [[symbol, tick] as const]
  })
  return Object.fromEntries(changed)
}

function tickOf(
  before: Price | undefined,
  { price, change24h, at, stale, trace }: Price,
): PriceTick | undefined {
  const closes = trace.slice(overlap(before?.trace ?? [], trace))
  const isSame =
    before?.price === price && before.at === at && before.stale === stale && closes.length === 0
  return isSame ? undefined : { price, change24h, at, stale, ...(closes.length > 0 && { closes }) }
}
