import type { Prices, PriceTicks } from '#contract/market.ts'
import { overlap } from '#core/market/overlap.ts'

/**
 * As many hourly closes as the server sends with the prices. Here because the contract's constant
 * would load its schemas.
 */
const TRACE_HOURS = 24

/**
 * The prices after an event. Hours that closed end the traces; those that were known already count
 * once.
 */
export function withTicks(prices: Prices, ticks: PriceTicks): Prices {
  const changed = Object.entries(ticks).flatMap(([symbol, { closes = [], ...tick }]) => {
    const before = prices[symbol]
    if (before === undefined) return []
    const trace =
      closes.length === 0
        ? before.trace
        : [...before.trace, ...closes.slice(overlap(before.trace, closes))].slice(-TRACE_HOURS)
    return [[symbol, { ...before, ...tick, trace }] as const]
  })
  return { ...prices, ...Object.fromEntries(changed) }
}
