import { useState } from 'react'
import type { Price, Prices } from '#contract/market.ts'
import { FIRST_COINS } from '#contract/page-data.ts'
import { moneyText } from '#words/figures.ts'
import { t } from '#words/words.ts'
import { useCloses, usePrices } from '#app/api/queries.ts'
import { MarketMark } from '#app/market/market-mark.tsx'
import { usePastDay } from '#app/market/market-text.ts'
import { Sparkline } from '#app/ui/charts/sparkline.tsx'
import { ShowAllButton } from '#app/ui/buttons/show-all-button.tsx'
import { useWide } from '#app/ui/device/wide.ts'
import { useDates } from '#app/ui/device/dates.ts'
import { Link } from '#app/ui/frame/link.tsx'
import { LoadProblem, Section, Skeleton } from '#app/ui/frame/section.tsx'
import { Change, Money, spokenChange } from '#app/ui/money/money.tsx'

const SKELETON_ROWS = 12

const ON_DESKS = 'max-lg:hidden'

export function MarketOverview() {
  return (
    <Section title={t('Market Overview')} aside={<MarketMark rest={ON_DESKS} />}>
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
  const [showsAll, setShowsAll] = useState(false)
  const coins = Object.entries(prices)
  const shown = useWide() || showsAll ? coins : coins.slice(0, FIRST_COINS)
  useCloses(shown.map(([symbol]) => symbol))
  return (
    <>
      <ul className="divide-y divide-hairline">
        {shown.map(([symbol, price], row) => (
          <li key={symbol} className={row < FIRST_COINS || showsAll ? '' : ON_DESKS}>
            <MarketRow symbol={symbol} price={price} />
          </li>
        ))}
      </ul>
      <ShowAllButton showsAll={showsAll} onChange={setShowsAll} className="lg:hidden">
        {t('All coins')}
      </ShowAllButton>
    </>
  )
}

function MarketSkeleton() {
  return (
    <ul aria-label={t('Loading prices')} className="divide-y divide-hairline">
      {Array.from({ length: SKELETON_ROWS }, (_, row) => (
        <li key={row} className={`h-17 py-3 ${row < FIRST_COINS ? '' : ON_DESKS}`}>
          <Skeleton className="h-full" />
        </li>
      ))}
    </ul>
  )
}

function MarketRow({ symbol, price }: { symbol: string; price: Price }) {
  const { sinceText } = useDates()
  const spoken = useSpokenPrice(symbol, price)
  return (
    <div className="relative flex min-h-17 flex-wrap items-center justify-between gap-x-3 py-2">
      <span className="flex-1 basis-28">
        <Link
          href={`/market/${symbol}-USD`}
          aria-label={spoken}
          className="block text-17 font-semibold after:absolute after:inset-0"
        >
          {price.name}
        </Link>
        <span aria-hidden="true" className="block text-16 text-ink2">
          {symbol}
        </span>
      </span>
      <Sparkline
        values={price.trace}
        rises={!price.change24h.startsWith('-')}
        className="h-7 w-16 shrink-0"
      />
      <span aria-hidden="true" className="min-w-26 text-right">
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
          <Change percent={price.change24h} zero="gain" className="text-16" />
        )}
      </span>
    </div>
  )
}

/** 'Bitcoin, BTC: $72,230.68, down 1.28%, past 24 h.' */
function useSpokenPrice(symbol: string, { name, price, change24h, stale, at }: Price): string {
  const { sinceText } = useDates()
  const shown = {
    coin: `${name}, ${symbol}`,
    price: moneyText({ amount: price, precision: 'price' }),
    change: spokenChange({ percent: change24h }),
    span: usePastDay(),
  }
  if (stale) return t('{coin}: {price}, from {time}.', { ...shown, time: sinceText(at) })
  return t('{coin}: {price}, {change}, {span}.', shown)
}
