import { baseOf, type Pair } from '#core/market/pair.ts'
import { useConfig } from '#app/api/queries.ts'
import { useDates } from '#app/ui/device/dates.ts'
import { useStalePricesSince } from './stale-prices.ts'

const speedFormat = new Intl.NumberFormat('en-US')

type Props = {
  /** The pairs whose prices are on this screen; all by default. */
  pairs?: readonly Pair[]
}

/**
 * The source of the prices on this screen: 'Simulated market', 'Recorded market' or the exchange's name. If the exchange has been silent
 * for too long, also the time of the prices.
 */
export function MarketMark({ pairs }: Props) {
  const feed = useConfig().data?.feed
  const staleSince = useStalePricesSince(pairs?.map(baseOf))
  const { sinceText } = useDates()
  if (!feed) return null
  const speed = feed.speed > 1 ? `, ${speedFormat.format(feed.speed)}×` : ''
  return (
    <span className="text-14 text-ink2">
      {feed.label}
      {speed}
      {staleSince !== undefined && <span className="block text-warn">Prices from {sinceText(staleSince)}. Bots wait for new ones.</span>}
    </span>
  )
}
