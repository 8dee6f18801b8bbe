import { baseOf, type Pair } from '#core/market/pair.ts'
import { useConfig } from '#app/api/queries.ts'
import { useDates } from '#app/ui/device/dates.ts'
import { useStalePricesSince } from './stale-prices.ts'

const speedFormat = new Intl.NumberFormat('en-US')

type Props = {
  /** Whose prices stand on this screen; all where nothing is said. */
  pairs?: readonly Pair[]
  className?: string
}

/**
 * Where the prices on this screen come from: 'Simulated market', 'Recorded market' or the exchange's name; and from when they are, where
 * the exchange has not been heard for too long.
 */
export function MarketMark({ pairs, className = '' }: Props) {
  const feed = useConfig().data?.feed
  const staleSince = useStalePricesSince(pairs?.map(baseOf))
  const { sinceText } = useDates()
  if (!feed) return null
  const hurried = feed.speed > 1 ? `, ${speedFormat.format(feed.speed)}×` : ''
  return (
    <span className={`text-14 text-ink2 ${className}`}>
      {feed.label}
      {hurried}
      {staleSince !== undefined && <span className="block text-warn">Prices from {sinceText(staleSince)}. Bots wait for new ones.</span>}
    </span>
  )
}
