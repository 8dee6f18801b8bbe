import type { Market, Price } from '#contract/market.ts'
import { startOfGroup } from '#core/market/candle-groups.ts'
import { floorHour, HOUR_MS } from '#core/market/candle.ts'
import { decimalToUnits } from '#core/money/decimal.ts'

export type SeenPrice = Pick<Price, 'price' | 'at'>
type Candles = Market['candles']

/** The closes of a price's trace, each at the end of its hour, and the price itself. */
export function pricesOf({ price, at, trace }: Pick<Price, 'price' | 'at' | 'trace'>): SeenPrice[] {
  const endMs = floorHour(Date.parse(at))
  const closes = trace.map((close, index) => ({
    price: close,
    at: new Date(endMs - (trace.length - 1 - index) * HOUR_MS - 1).toISOString(),
  }))
  return [...closes, { price, at }]
}

/**
 * The candles of the answer, or as many and a growing one, with the prices seen since. A price
 * further ahead changes nothing, because the hours between are not known yet; nor does one from
 * before the candles' end.
 */
export function liveCandles(
  { candles, candleHours, closedUntil }: Market,
  prices: readonly SeenPrice[],
): Candles {
  const later = prices.filter(({ at }) => Date.parse(at) >= Date.parse(closedUntil))
  const grown = later.reduce((now, price) => grow(now, price, candleHours * HOUR_MS), candles)
  return grown === candles ? candles : grown.slice(-candles.length - 1)
}

function grow(candles: Candles, { price, at }: SeenPrice, groupMs: number): Candles {
  const growing = candles.at(-1)
  if (!growing) return candles
  const ahead = (startOfGroup(Date.parse(at), groupMs) - Date.parse(growing.at)) / groupMs
  if (ahead === 0) {
    const [high, low] = [
      isAbove(price, growing.high) ? price : growing.high,
      isAbove(growing.low, price) ? price : growing.low,
    ]
    return [...candles.slice(0, -1), { ...growing, high, low, close: price }]
  }
  if (ahead !== 1) return candles
  const open = growing.close
  const [low, high] = isAbove(open, price) ? [price, open] : [open, price]
  return [
    ...candles,
    { at: new Date(Date.parse(growing.at) + groupMs).toISOString(), open, high, low, close: price },
  ]
}

/** Whether the last candle contains the moment, or comes after it. */
export function isWithin(candles: Candles, candleHours: number, at: string): boolean {
  const last = candles.at(-1)
  return last !== undefined && Date.parse(at) < Date.parse(last.at) + candleHours * HOUR_MS
}

function isAbove(one: string, other: string): boolean {
  return decimalToUnits(one) > decimalToUnits(other)
}
