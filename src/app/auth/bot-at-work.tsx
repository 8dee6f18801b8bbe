import { useQuery } from '@tanstack/react-query'
import type { QueryKey } from '#contract/query-key.ts'
import { baseOf } from '#core/market/pair.ts'
import { call } from '#app/api/call.ts'
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
      <Nearness percent={now.nearPercent} />
      <p className="text-16 text-pretty text-ink2">{now.doing}</p>
      <Link
        href="/track-record"
        className="-mb-2 inline-flex min-h-12 items-center text-16 underline"
      >
        {now.record}
      </Link>
    </div>
  )
}

/** A bar that fills as the price nears the next change. */
function Nearness({ percent }: { percent: number }) {
  return (
    <svg aria-hidden="true" width="100%" height="6" className="my-2 block">
      <rect width="100%" height="6" rx="3" className="fill-raised" />
      <rect width={`${percent}%`} height="6" rx="3" className="fill-accent" />
    </svg>
  )
}
