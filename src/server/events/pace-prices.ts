import type { Prices } from '#contract/market.ts'

/**
 * A fast market changes several times a second, which nobody can read and every battery pays for.
 */
const PRICES_EVERY_MS = 2_000

/**
 * Hands on prices at once, then at most every two seconds: the last known ones, together with those
 * handed on before them.
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
