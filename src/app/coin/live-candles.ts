import type { Market } from '#contract/market-page.ts'
import type { Price } from '#contract/market.ts'
import { startOfGroup } from '#core/market/candle-groups.ts'
import { HOUR_MS } from '#core/market/candle.ts'
import { decimalToUnits } from '#core/money/decimal.ts'

/**
 * The candles with the last price in them: the growing candle reaches to it, or it begins the next one. A price further ahead changes nothing,
 * because the hours between are not known yet; nor does one from before the candles' end.
 */
export function liveCandles({ candles, candleHours, closedUntil }: Market, last: Pick<Price, 'price' | 'at'> | undefined): Market['candles'] {
  const growing = candles.at(-1)
  if (!growing || !last || Date.parse(last.at) < Date.parse(closedUntil)) return candles
  const groupMs = candleHours * HOUR_MS
  const { price } = last
  const ahead = (startOfGroup(Date.parse(last.at), groupMs) - Date.parse(growing.at)) / groupMs
  if (ahead === 0) {
    const [high, low] = [isAbove(price, growing.high) ? price : growing.high, isAbove(growing.low, price) ? price : growing.low]
    return [...candles.slice(0, -1), { ...growing, high, low, close: price }]
  }
  if (ahead !== 1) return candles
  const open = growing.close
  const [low, high] = isAbove(open, price) ? [price, open] : [open, price]
  return [...candles, { at: new Date(Date.parse(growing.at) + groupMs).toISOString(), open, high, low, close: price }]
}

function isAbove(one: string, other: string): boolean {
  return decimalToUnits(one) > decimalToUnits(other)
}
