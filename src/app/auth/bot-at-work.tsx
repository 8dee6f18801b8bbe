import { useQuery } from '@tanstack/react-query'
import type { QueryKey } from '#contract/query-key.ts'
import { baseOf } from '#core/market/pair.ts'
import { call } from '#app/api/call.ts'
import { useConfig } from '#app/api/queries.ts'
import { TrendLamps } from '#app/market/trend-lamps.tsx'
import { Link } from '#app/ui/frame/link.tsx'
import { Money } from '#app/ui/money/money.tsx'

/** Visitors have no stream of events, so the page polls, though not in a hidden tab. */
const PACE_MS = 5_000

/** The present decision of bots here, on the market of this installation. */
export function BotAtWork() {
  const { data: now } = useQuery({
    queryKey: ['getStrategyNow'] satisfies QueryKey,
    queryFn: ({ signal }) => call('getStrategyNow', { signal }),
    refetchInterval: PACE_MS,
  })
  const config = useConfig()
  // Space reserved for an answer that comes after the page.
  if (!now) return <div className="h-36" />
  return (
    <div className="pt-2">
      <p className="flex flex-wrap items-center justify-between gap-x-3 text-16 font-semibold">
        <span>
          {baseOf(now.pair)} <Money own={false} amount={now.price} precision="price" />
        </span>
        <span className="flex items-center gap-2 text-14 font-normal text-ink2">
          <TrendLamps trends={now.trends} />
          {now.share}
        </span>
      </p>
      <p className="text-14 text-ink2">{config.data?.feed.label}</p>
      <p className="pt-1 text-16 text-pretty text-ink2">{now.doing}</p>
      <Link
        href="/track-record"
        className="-mb-2 inline-flex min-h-12 items-center text-16 underline"
      >
        {now.record}
      </Link>
    </div>
  )
}
