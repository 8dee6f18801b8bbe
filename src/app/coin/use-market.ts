import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import type { Market, Price } from '#contract/market.ts'
import type { QueryKey } from '#contract/query-key.ts'
import { floorHour } from '#core/market/candle.ts'
import { answeredMs } from '#app/api/answer-times.ts'
import { call } from '#app/api/call.ts'
import { usePrices, type Range } from '#app/api/queries.ts'
import { steadyMs } from '#app/ui/device/clock.ts'
import { isWithin, liveCandles, pricesOf, type SeenPrice } from './live-candles.ts'

/**
 * Between two answers while hours close, as on a market that runs fast. Meanwhile the candles grow
 * with the prices.
 */
const INTERVAL_MS = 45_000
/** The same if hours are missing between the candles and the last price. */
const BEHIND_MS = 5_000

/**
 * One pair's market, and its candles up to the last price. It is refetched once another hour has
 * closed. While a new range loads, the other one stays.
 */
export function useMarket({ id, symbol, range }: { id: string; symbol: string; range: Range }) {
  const client = useQueryClient()
  const market = useQuery<Market>({
    queryKey: keyOf(id, range),
    queryFn: ({ signal }) => call('getMarket', { params: { id }, query: { range }, signal }),
    placeholderData: (before) => (before?.pair.startsWith(`${symbol}/`) ? before : undefined),
  })
  const { data: answer, dataUpdatedAt, errorUpdatedAt, refetch } = market
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
    const query = client.getQueryCache().find({ queryKey: keyOf(id, range) })
    if (!isOld || !query) return
    const timer = setTimeout(
      () => void refetch(),
      Math.max(0, answeredMs(query) + intervalMs - steadyMs()),
    )
    return () => clearTimeout(timer)
  }, [client, id, range, isOld, intervalMs, dataUpdatedAt, errorUpdatedAt, refetch])
  return { ...market, candles }
}

const keyOf = (id: string, range: Range) => ['getMarket', id, range] satisfies QueryKey

type Seen = { answer: Market | undefined; last: Price | undefined; prices: readonly SeenPrice[] }

/**
 * The hourly closes since the end of the answer's candles, as their prices came, and the last
 * price.
 */
function useSeenPrices(answer: Market | undefined, last: Price | undefined): readonly SeenPrice[] {
  const [seen, setSeen] = useState<Seen>({ answer: undefined, last: undefined, prices: [] })
  if (seen.answer === answer && seen.last === last) return seen.prices
  // The price before may lie within an hour whose close is known by now.
  const known = seen.prices.slice(0, -1)
  const knownUntil = known.at(-1)?.at ?? ''
  const all = last ? [...known, ...pricesOf(last).filter(({ at }) => at > knownUntil)] : seen.prices
  const prices = answer
    ? all.filter(({ at }) => Date.parse(at) >= Date.parse(answer.closedUntil))
    : []
  setSeen({ answer, last, prices })
  return prices
}
