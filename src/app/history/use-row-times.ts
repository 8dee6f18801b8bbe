import type { Transaction } from '#contract/transactions.ts'
import { useConfig } from '#app/api/queries.ts'
import { useMarketTime } from '#app/market/market-time.ts'
import { useDates } from '#app/ui/device/dates.ts'

export type RowTimes = {
  groupOf: (row: Transaction) => string
  dayOf: (row: Transaction) => string
  timeOf: (row: Transaction) => string
  momentOf: (row: Transaction) => string
}

/**
 * Dates of rows. On a live market all are real dates. On another market, trades show market time,
 * and money in or out its real date; days are the market's.
 */
export function useRowTimes(): RowTimes {
  const dates = useDates()
  const market = useMarketTime()
  const isLive = useConfig().data?.feed.kind === 'live'
  const isOfMarket = ({ type }: Transaction) => !isLive && (type === 'trade' || type === 'transfer')
  const groupOf = (row: Transaction) =>
    isLive ? dates.dayText(row.createdAt) : market.dayText(row.marketTime)
  const momentOf = (row: Transaction) =>
    isOfMarket(row) ? market.momentText(row.marketTime) : dates.momentText(row.createdAt)
  return {
    groupOf,
    dayOf: (row) =>
      isOfMarket(row) ? market.dayText(row.marketTime) : dates.dayText(row.createdAt),
    timeOf: (row) =>
      isOfMarket(row) ? market.clockText(row.marketTime) : dates.clockText(row.createdAt),
    momentOf,
  }
}
