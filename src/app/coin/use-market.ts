import { useEffect, useMemo, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { Market, Price } from '#contract/market.ts'
import type { QueryKey } from '#contract/query-key.ts'
import { startOfGroup } from '#core/market/candle-groups.ts'
import { floorHour, HOUR_MS } from '#core/market/candle.ts'
import { decimalToUnits } from '#core/money/decimal.ts'
import { call } from '#app/api/call.ts'
import { refetchPaced } from '#app/api/events.ts'
import type { Range } from '#app/api/balance-curve.ts'
import { useCloses, usePrices } from '#app/api/queries.ts'

/**
 * Minimum time between refetches if hours close faster than this, as on a sped-up market. In
 * between, the candles grow with the prices.
 */
const INTERVAL_MS = 45_000
/** Minimum time between refetches while candles are missing before the last price. */
const BEHIND_MS = 5_000

/**
 * One pair's market, and its candles up to the last price. Refetched once another hour has closed.
 * While a new range loads, the old one stays.
 */
export function useMarket({ id, symbol, range }: { id: string; symbol: string; range: Range }) {
  const market = useQuery<Market>({
    queryKey: ['getMarket', id, range] satisfies QueryKey,
    queryFn: ({ signal }) => call('getMarket', { params: { id }, query: { range }, signal }),
    placeholderData: (before) => (before?.pair.startsWith(`${symbol}/`) ? before : undefined),
  })
  const { data: answer, dataUpdatedAt, errorUpdatedAt } = market
  useCloses([symbol])
  const last = usePrices().data?.[symbol]
  const prices = useSeenPrices(answer, last)
  const candles = useMemo(() => (answer ? liveCandles(answer, prices) : []), [answer, prices])
  const isOld =
    answer !== undefined &&
    last !== undefined &&
    floorHour(Date.parse(last.at)) > Date.parse(answer.closedUntil)
  const intervalMs =
    answer && last && isWithin(candles, answer.candleHours, last.at) ? INTERVAL_MS : BEHIND_MS
  useEffect(() => {
    if (isOld) refetchPaced('getMarket', intervalMs)
  }, [id, range, isOld, intervalMs, dataUpdatedAt, errorUpdatedAt])
  return { ...market, candles }
}

type Seen = { answer: Market | undefined; last: Price | undefined; prices: readonly SeenPrice[] }

/**
 * The hourly closes since the end of the answer's candles, collected from price events, and the
 * last price.
 */
function useSeenPrices(answer: Market | undefined, last: Price | undefined): readonly SeenPrice[] {
  const [seen, setSeen] = useState<Seen>({ answer: undefined, last: undefined, prices: [] })
  if (seen.answer === answer && seen.last === last) return seen.prices
  // The last price seen may be within an hour whose close is known by now; then the close replaces
  // it.
  const known = seen.prices.slice(0, -1)
  const knownUntil = known.at(-1)?.at ?? ''
  const all = last ? [...known, ...pricesOf(last).filter(({ at }) => at > knownUntil)] : seen.prices
  const prices = answer
    ? all.filter(({ at }) => Date.parse(at) >= Date.parse(answer.closedUntil))
    : []
  setSeen({ answer, last, prices })
  return prices
}

type SeenPrice = Pick<Price, 'price' | 'at'>
type Candles = Market['candles']

export function pricesOf({ price, at, trace }: Pick<Price, 'price' | 'at' | 'trace'>): SeenPrice[] {
  const endMs = floorHour(Date.parse(at))
  const closes = trace.map((close, index) => ({
    price: close,
    at: new Date(endMs - (trace.length - 1 - index) * HOUR_MS - 1).toISOString(),
  }))
  return [...closes, { price, at }]
}

/**
 * The candles of the answer, extended by the prices seen since. The number of closed candles stays
 * the same, and one growing candle follows them. Ignores a price if hours before it are unknown, or
 * if it is older than the candles' end.
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

export function isWithin(candles: Candles, candleHours: number, at: string): boolean {
  const last = candles.at(-1)
  return last !== undefined && Date.parse(at) < Date.parse(last.at) + candleHours * HOUR_MS
}

function isAbove(one: string, other: string): boolean {
  return decimalToUnits(one) > decimalToUnits(other)
}
