import type { Prices } from '#contract/market.ts'
import { t } from '#words/words.ts'
import { usePrices } from '#app/api/queries.ts'
import { MarketMark } from '#app/market/market-mark.tsx'
import { usePastDay } from '#app/market/past-day.ts'
import { LoadProblem } from '#app/ui/frame/load-problem.tsx'
import { Section } from '#app/ui/frame/section.tsx'
import { Skeleton } from '#app/ui/frame/skeleton.tsx'
import { MarketRow } from './market-row.tsx'

const SKELETON_ROWS = 12

export function MarketOverview() {
  return (
    <Section title={t('Market Overview')} aside={<MarketMark />}>
      <MarketList />
    </Section>
  )
}

function MarketList() {
  const prices = usePrices()
  const span = usePastDay()
  if (prices.isError)
    return (
      <LoadProblem
        message={t('Unable to load crypto prices')}
        onRetry={() => void prices.refetch()}
      />
    )
  return (
    <>
      <p className="text-right text-14 text-ink2">{span}</p>
      {prices.data ? <MarketRows prices={prices.data} /> : <MarketSkeleton />}
    </>
  )
}

function MarketRows({ prices }: { prices: Prices }) {
  return (
    <ul className="divide-y divide-hairline">
      {Object.entries(prices).map(([symbol, price]) => (
        <MarketRow key={symbol} symbol={symbol} price={price} />
      ))}
    </ul>
  )
}

function MarketSkeleton() {
  return (
    <ul aria-label={t('Loading prices')} className="divide-y divide-hairline">
      {Array.from({ length: SKELETON_ROWS }, (_, row) => (
        <li key={row} className="flex h-17 items-center justify-between">
          <span className="grid gap-2">
            <Skeleton className="h-4 w-24" />
            <Skeleton className="h-3.5 w-10" />
          </span>
          <span className="grid justify-items-end gap-2">
            <Skeleton className="h-4 w-20" />
            <Skeleton className="h-3.5 w-14" />
          </span>
        </li>
      ))}
    </ul>
  )
}
