import type { Price, Prices, PriceTick, PriceTicks } from '#contract/market.ts'
import { overlap } from '#core/market/overlap.ts'

/** Differences between two answers of `getPrices`; for a new symbol, all fields that can change. */
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

/** Faster changes are unreadable and drain batteries. */
const PRICES_EVERY_MS = 2_000

/**
 * Sends prices at once, then at most every two seconds. Passes `send` the prices sent before and
 * the latest ones.
 */
export function pacePrices(send: (before: Prices, now: Prices) => void): {
  note: (prices: Prices) => void
  stop: () => void
} {
  let sent: Prices = {}
  let waiting: Prices | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const handOn = () => {
    timer = undefined
    if (waiting === undefined) return
    timer = setTimeout(handOn, PRICES_EVERY_MS)
    timer.unref()
    send(sent, waiting)
    sent = waiting
    waiting = undefined
  }
  return {
    note: (prices) => {
      waiting = prices
      if (timer === undefined) handOn()
    },
    stop: () => clearTimeout(timer),
  }
}
