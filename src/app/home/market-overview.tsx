import type { Price, Prices } from '#contract/market.ts'
import { t } from '#words/words.ts'
import { usePrices } from '#app/api/queries.ts'
import { MarketMark } from '#app/market/market-mark.tsx'
import { usePastDay } from '#app/market/market-text.ts'
import { Sparkline } from '#app/ui/charts/sparkline.tsx'
import { useDates } from '#app/ui/device/dates.ts'
import { Link } from '#app/ui/frame/link.tsx'
import { LoadProblem, Section, Skeleton } from '#app/ui/frame/section.tsx'
import { Change, Money } from '#app/ui/money/money.tsx'

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
        <li key={row} className="h-17 py-3">
          <Skeleton className="h-full" />
        </li>
      ))}
    </ul>
  )
}

function MarketRow({ symbol, price }: { symbol: string; price: Price }) {
  const { sinceText } = useDates()
  return (
    <li className="relative flex min-h-17 flex-wrap items-center justify-between gap-x-3 py-2">
      <span className="flex-1 basis-28">
        <Link
          href={`/market/${symbol}-USD`}
          className="block text-17 font-semibold after:absolute after:inset-0"
        >
          {price.name}
        </Link>
        <span className="block text-14 text-ink2">{symbol}</span>
      </span>
      <Sparkline
        values={price.trace}
        rises={!price.change24h.startsWith('-')}
        className="h-7 w-16 shrink-0"
      />
      <span className="min-w-26 text-right">
        <Money
          amount={price.price}
          precision="price"
          className={`block text-17 font-semibold ${price.stale ? 'text-ink2' : ''}`}
        />
        {price.stale ? (
          <span className="text-14 text-ink2">
            {t('from {time}', { time: sinceText(price.at) })}
          </span>
        ) : (
          <Change percent={price.change24h} zero="gain" className="text-14" />
        )}
      </span>
    </li>
  )
}
