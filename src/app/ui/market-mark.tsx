import { useConfig } from '../api/queries.ts'

const speedFormat = new Intl.NumberFormat('en-US')

/** Where the prices on this screen come from: 'Simulated market', 'Recorded market' or the exchange's name. */
export function MarketMark({ className = '' }: { className?: string }) {
  const feed = useConfig().data?.feed
  if (!feed) return null
  const hurried = feed.speed > 1 ? `, ${speedFormat.format(feed.speed)}×` : ''
  return (
    <span className={`text-14 text-ink2 ${className}`}>
      {feed.label}
      {hurried}
    </span>
  )
}
