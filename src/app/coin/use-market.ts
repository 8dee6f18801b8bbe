import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Market } from '#contract/market-page.ts'
import type { QueryKey } from '#contract/query-key.ts'
import { floorHour } from '#core/market/candle.ts'
import { call } from '#app/api/call.ts'
import { usePrices, type Range } from '#app/api/queries.ts'

/** A market that runs fast closes an hour every second. */
const INTERVAL_MS = 5_000

/** One pair's market. It is refetched when the prices show that another hour has closed. While a new range loads, the other one stays. */
export function useMarket({ id, symbol, range }: { id: string; symbol: string; range: Range }) {
  const market = useQuery<Market>({
    queryKey: ['getMarket', id, range] satisfies QueryKey,
    queryFn: ({ signal }) => call('getMarket', { params: { id }, query: { range }, signal }),
    placeholderData: (before) => (before?.pair.startsWith(`${symbol}/`) ? before : undefined),
  })
  const { data, dataUpdatedAt, errorUpdatedAt, refetch } = market
  const at = usePrices().data?.[symbol]?.at
  const isOld = data !== undefined && at !== undefined && floorHour(Date.parse(at)) > Date.parse(data.closedUntil)
  const dueAt = Math.max(dataUpdatedAt, errorUpdatedAt) + INTERVAL_MS
  useEffect(() => {
    if (!isOld) return
    const timer = setTimeout(() => void refetch(), Math.max(0, dueAt - Date.now()))
    return () => clearTimeout(timer)
  }, [isOld, dueAt, refetch])
  return market
}
