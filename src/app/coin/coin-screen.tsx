import { useState } from 'react'
import type { BotOnMarket, LevelNow, Market, MarketTrade } from '#contract/market.ts'
import { FIRST_RANGE } from '#contract/query-values.ts'
import { baseOf, pairOfMarketId, type Pair } from '#core/market/pair.ts'
import { ASSET_NAMES } from '#core/money/asset.ts'
import { nextMoveText } from '#words/next-move.ts'
import { riskTitle } from '#words/strategy-names.ts'
import { say, t } from '#words/words.ts'
import { ApiError } from '#app/api/call.ts'
import type { Range } from '#app/api/balance-curve.ts'
import { usePrices } from '#app/api/queries.ts'
import { BY_FORMULA, NextDayNote, useNextDayTitle } from '#app/evidence/next-day.tsx'
import { MarketMark } from '#app/market/market-mark.tsx'
import { useMarketTime } from '#app/market/market-time.ts'
import { usePastDay } from '#app/market/market-text.ts'
import { PageHeader } from '#app/shell/page-header.tsx'
import { LinkButton } from '#app/ui/buttons/button.tsx'
import { usePathId } from '#app/ui/frame/address.ts'
import { Link } from '#app/ui/frame/link.tsx'
import { LoadMore } from '#app/ui/frame/load-more.tsx'
import { LoadProblem, Section, Skeleton } from '#app/ui/frame/section.tsx'
import { Change, Money, Percent } from '#app/ui/money/money.tsx'
import { Trans } from '#app/ui/words/trans.tsx'
import { PriceChart } from './price-chart.tsx'
import { useMarket } from './use-market.ts'

export function CoinScreen() {
  const id = usePathId()
  const pair = pairOfMarketId(id)
  // The key gives each coin its own state.
  if (pair) return <Coin key={id} id={id} pair={pair} />
  return (
    <>
      <PageHeader screen="coin" backTo="/" />
      <p className="px-5 text-16">{t('No such coin is traded here.')}</p>
    </>
  )
}

function Coin({ id, pair }: { id: string; pair: Pair }) {
  const [range, setRange] = useState<Range>(FIRST_RANGE)
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
            {market.data?.forecast && <NextRange {...market.data.forecast} />}
            <OwnBots pair={pair} bots={market.isError ? [] : (market.data?.bots ?? [])} />
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

/** States both ends of the range alike, because the forecast has no direction. */
function NextRange({ low, high, rests }: NonNullable<Market['forecast']>) {
  return (
    <section aria-labelledby="next-day" className="pb-6">
      <h2 id="next-day" className="text-20 font-semibold">
        {useNextDayTitle()}
      </h2>
      <p className="pt-1 text-16 text-pretty">
        <Trans
          message="{low} to {high}, 8 times in 10."
          low={<Percent value={low} sign="always" />}
          high={<Percent value={high} sign="always" />}
        />
        {rests && ` ${say(BY_FORMULA)}`}
      </p>
      <NextDayNote />
    </section>
  )
}

/** The next price of each of the user's bots, as on the bot's page. */
function OwnBots({ pair, bots }: { pair: Pair; bots: readonly BotOnMarket[] }) {
  const price = usePrices().data?.[baseOf(pair)]
  if (bots.length === 0 || price === undefined) return null
  return (
    <section aria-labelledby="own-bots" className="pb-6">
      <h2 id="own-bots" className="text-20 font-semibold">
        {t('Your bots')}
      </h2>
      <ul className="divide-y divide-hairline">
        {bots.map(({ botId, botName, wantedPercent, next }) => (
          <li key={botId} className="relative py-3 hover:bg-raised">
            <Link
              href={`/bot-config/${botId}`}
              className="text-16 font-semibold break-words after:absolute after:inset-0"
            >
              {botName}
            </Link>
            <p className="text-14 text-pretty text-ink2">
              {nextMoveText({ percent: wantedPercent, next, price: price.price })}
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}

function LevelList({
  symbol,
  levels,
}: {
  symbol: string
  levels: readonly LevelNow[] | undefined
}) {
  const { momentText } = useMarketTime()
  if (levels?.length === 0) return null
  return (
    <section aria-labelledby="levels" className="pt-8">
      <h2 id="levels" className="text-20 font-semibold">
        {t('What bots do now')}
      </h2>
      <p className="pt-1 text-14 text-ink2">
        {levels?.[0]
          ? t(
              'The share of its {coin} money that each risk level wants invested, decided on {moment}.',
              { coin: symbol, moment: momentText(levels[0].decidedAt) },
            )
          : t('The share of its {coin} money that each risk level wants invested.', {
              coin: symbol,
            })}
      </p>
      {levels ? (
        <ul className="divide-y divide-hairline">
          {levels.map((level) => (
            <Level key={level.riskLevel} level={level} />
          ))}
        </ul>
      ) : (
        <Skeleton className="mt-3 h-64 w-full" />
      )}
    </section>
  )
}

function Level({ level: { riskLevel, wantedPercent, reason } }: { level: LevelNow }) {
  return (
    <li className="py-3">
      <p className="flex flex-wrap items-baseline justify-between gap-x-3 text-16 font-semibold">
        <span>{riskTitle(riskLevel)}</span>
        <span>{t('{percent}% invested', { percent: wantedPercent })}</span>
      </p>
      <span
        aria-hidden="true"
        className="my-1.5 block h-1.5 overflow-hidden rounded-full bg-raised"
      >
        <span
          className="block h-full bg-ink forced-colors:bg-[CanvasText]"
          style={{ width: `${wantedPercent}%` }}
        />
      </span>
      <p className="text-14 text-ink2">{reason}</p>
    </li>
  )
}

const PAGE = 10

function OwnTrades({ symbol, trades }: { symbol: string; trades: readonly MarketTrade[] }) {
  const [shown, setShown] = useState(PAGE)
  return (
    <Section title={t("Your bots' trades")}>
      {trades.length === 0 && (
        <p className="text-16 text-ink2">
          {t('No bot of yours has traded {coin} so far.', { coin: symbol })}
        </p>
      )}
      <ul className="divide-y divide-hairline">
        {trades.slice(0, shown).map((trade) => (
          <Trade key={trade.id} symbol={symbol} trade={trade} />
        ))}
      </ul>
      <LoadMore
        hasMore={shown < trades.length}
        loading={false}
        onMore={() => setShown(shown + PAGE)}
      />
    </Section>
  )
}

function Trade({
  symbol,
  trade: { id, side, botName, amount, quantity, price, marketTime },
}: {
  symbol: string
  trade: MarketTrade
}) {
  const { momentText } = useMarketTime()
  const traded = <Money amount={quantity} asset={symbol} />
  return (
    <li className="relative py-3 hover:bg-raised">
      <p className="flex flex-wrap items-baseline justify-between gap-x-3 text-16 font-semibold">
        <Link href={`/history?receipt=${id}`} className="after:absolute after:inset-0">
          {side === 'buy' ? (
            <Trans message="Bought {amount}" amount={traded} />
          ) : (
            <Trans message="Sold {amount}" amount={traded} />
          )}
        </Link>
        <Money amount={amount} />
      </p>
      <p className="flex flex-wrap gap-x-3 text-14 text-ink2">
        <span>{momentText(marketTime)}</span>
        <span>
          <Trans message="at {price}" price={<Money amount={price} precision="price" />} />
        </span>
        <span className="min-w-0 break-words">{botName}</span>
      </p>
    </li>
  )
}
