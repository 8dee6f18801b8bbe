import { useState } from 'react'
import { t } from '#words/words.ts'
import { ApiError } from '#app/api/call.ts'
import { usePrices, type Range } from '#app/api/queries.ts'
import { MarketMark } from '#app/market/market-mark.tsx'
import { usePastDay } from '#app/market/past-day.ts'
import { PageHeader } from '#app/shell/page-header.tsx'
import { LinkButton } from '#app/ui/buttons/link-button.tsx'
import { usePathId } from '#app/ui/frame/address.ts'
import { LoadProblem } from '#app/ui/frame/load-problem.tsx'
import { Skeleton } from '#app/ui/frame/skeleton.tsx'
import { Change } from '#app/ui/money/change.tsx'
import { Money } from '#app/ui/money/money.tsx'
import { baseOf, pairOfMarketId, type Pair } from '#core/market/pair.ts'
import { ASSET_NAMES } from '#core/money/asset.ts'
import { LevelList } from './level-list.tsx'
import { OwnTrades } from './own-trades.tsx'
import { PriceChart } from './price-chart.tsx'
import { useMarket } from './use-market.ts'

export function CoinScreen() {
  const id = usePathId()
  const pair = pairOfMarketId(id)
  // Its key gives each coin a state of its own.
  if (pair) return <Coin key={id} id={id} pair={pair} />
  return (
    <>
      <PageHeader screen="coin" backTo="/" />
      <p className="px-5 text-16">{t('No such coin is traded here.')}</p>
    </>
  )
}

function Coin({ id, pair }: { id: string; pair: Pair }) {
  const [range, setRange] = useState<Range>('1M')
  const symbol = baseOf(pair)
  const market = useMarket({ id, symbol, range })
  const isUnknown = market.error instanceof ApiError && market.error.status === 404
  return (
    <>
      <PageHeader screen="coin" title={ASSET_NAMES[symbol]} backTo="/" />
      <div className="lg:grid lg:grid-cols-3 lg:gap-x-8">
        <div className="lg:col-span-2">
          <LastPrice pair={pair} />
          {isUnknown && (
            <p className="px-5 pt-6 text-16">
              {t('This market has no prices of {coin}.', { coin: symbol })}
            </p>
          )}
          {market.isError && !isUnknown && (
            <div className="px-5 pt-6">
              <LoadProblem
                message={t('Unable to load this market')}
                onRetry={() => void market.refetch()}
              />
            </div>
          )}
          {!market.isError && (
            <PriceChart
              name={ASSET_NAMES[symbol]}
              market={market.data}
              candles={market.candles}
              range={range}
              onRange={setRange}
            />
          )}
        </div>
        {!isUnknown && (
          <div className="px-5 pt-6 lg:pt-0">
            <LinkButton href={`/bot-config/new?pairs=${id}`} className="w-full">
              {t('New bot with {coin}', { coin: symbol })}
            </LinkButton>
            <LevelList symbol={symbol} levels={market.isError ? [] : market.data?.levels} />
          </div>
        )}
        {market.data && !market.isError && (
          <div className="lg:col-span-2">
            <OwnTrades symbol={symbol} trades={market.data.trades} />
          </div>
        )}
      </div>
    </>
  )
}

/** The last price, and its change or, on a silent market, its age. */
function LastPrice({ pair }: { pair: Pair }) {
  const price = usePrices().data?.[baseOf(pair)]
  const span = usePastDay()
  return (
    <div className="px-5">
      <p className="text-14 text-ink2">{t('{pair}, last price', { pair })}</p>
      {price ? (
        <Money size="hero" amount={price.price} precision="price" />
      ) : (
        <Skeleton className="h-12 w-48" />
      )}
      <div className="flex min-h-6 flex-wrap items-center justify-between gap-x-4 pt-1">
        {price && !price.stale && (
          <span className="flex flex-wrap items-center gap-x-2 text-14 text-ink2">
            <Change percent={price.change24h} className="text-16 font-medium" /> {span}
          </span>
        )}
        <MarketMark pairs={[pair]} />
      </div>
    </div>
  )
}
