import { useQuery } from '@tanstack/react-query'
import type { QueryKey } from '#contract/query-key.ts'
import type { StrategyNow } from '#contract/track-record.ts'
import { baseOf } from '#core/market/pair.ts'
import { t } from '#words/words.ts'
import { call } from '#app/api/call.ts'
import { useConfig } from '#app/api/queries.ts'
import { TrendLamps } from '#app/market/trend-lamps.tsx'
import { Link } from '#app/ui/frame/link.tsx'
import { Money } from '#app/ui/money/money.tsx'

/** Visitors have no stream of events, so the page polls, though not in a hidden tab. */
const PACE_MS = 5_000

/**
 * The present decision of bots here, on the market of this installation. After a failed poll its
 * figures are old: they are hidden, and their space stays.
 */
export function BotAtWork() {
  const { data: now, isError } = useQuery({
    queryKey: ['getStrategyNow'] satisfies QueryKey,
    queryFn: ({ signal }) => call('getStrategyNow', { signal }),
    refetchInterval: PACE_MS,
  })
  return (
    <div className="pt-2">
      {/* Space reserved for an answer that comes after the page. */}
      <div className={`min-h-24 ${isError ? 'invisible' : ''}`}>{now && <Figures now={now} />}</div>
      <Link
        href="/track-record"
        className="-mb-2 inline-flex min-h-12 items-center text-16 underline"
      >
        {(!isError && now?.record) || t('Track record')}
      </Link>
    </div>
  )
}

function Figures({ now }: { now: StrategyNow }) {
  const config = useConfig()
  return (
    <>
      <p className="flex flex-wrap items-center justify-between gap-x-3 text-16 font-semibold">
        <span>
          {baseOf(now.pair)} <Money own={false} amount={now.price} precision="price" />
        </span>
        <span className="flex flex-wrap items-center gap-x-2 text-14 font-normal text-ink2">
          <TrendLamps trends={now.trends} />
          <span>{now.share}</span>
        </span>
      </p>
      <p className="text-14 text-ink2">{config.data?.feed.label}</p>
      <p className="pt-1 text-16 text-pretty text-ink2">{now.doing}</p>
    </>
  )
}
