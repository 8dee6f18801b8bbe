import { useState } from 'react'
import type { Bot, BotPerformance } from '#contract/bots.ts'
import { plainRoutes } from '#contract/plain-routes.ts'
import { strategyTitle } from '#words/strategy-names.ts'
import { t } from '#words/words.ts'
import { ApiError } from '#app/api/call.ts'
import { useBotTrades } from '#app/api/long-lists.ts'
import { useMarketTime } from '#app/market/market-time.ts'
import { MarketMark } from '#app/market/market-mark.tsx'
import { WaitingPairs } from '#app/market/waiting-pairs.tsx'
import { PageHeader } from '#app/shell/page-header.tsx'
import { LinkButton } from '#app/ui/buttons/button.tsx'
import { DownloadLink } from '#app/ui/buttons/download-link.tsx'
import { OFFLINE_REASON, OfflineReason } from '#app/ui/buttons/offline-reason.tsx'
import { ShowAllButton } from '#app/ui/buttons/show-all-button.tsx'
import { useLocation, usePathId } from '#app/ui/frame/address.ts'
import { LoadMore } from '#app/ui/frame/load-more.tsx'
import { Loading } from '#app/ui/frame/loading.tsx'
import { LoadProblem, Section, Skeleton } from '#app/ui/frame/section.tsx'
import { BesideBots } from './beside-bots.tsx'
import { BotChart, BotChartTable } from './bot-chart.tsx'
import { BotDay } from './bot-day.tsx'
import { BotFigures } from './bot-figures.tsx'
import { BotGuards, StopNote } from './bot-guards.tsx'
import { BotMenu } from './bot-menu.tsx'
import { BotMoneyActions } from './bot-money-actions.tsx'
import { BotNow } from './bot-now.tsx'
import { BotPlan } from './bot-plan.tsx'
import { useBotPerformance } from './bot-queries.ts'
import { BotDot, kindWords, statusWord } from './bot-row.tsx'
import { NoTrades } from './no-trades.tsx'
import { SimulationSheet, useSimulation } from './simulation-sheet.tsx'
import { TradeLine } from './trade-line.tsx'

export function BotScreen() {
  const id = usePathId()
  return (
    <BesideBots current={id}>
      <OneBot key={id} id={id} />
    </BesideBots>
  )
}

function OneBot({ id }: { id: string }) {
  const performance = useBotPerformance(id)
  if (performance.data) return <Performance performance={performance.data} />
  return (
    <>
      <PageHeader screen="bot" backTo="/bot-config" />
      <div className="px-5">
        {performance.isPending && <Skeleton className="h-100 w-full" />}
        {performance.isError && (
          <Problem error={performance.error} onRetry={() => void performance.refetch()} />
        )}
      </div>
    </>
  )
}

function Problem({ error, onRetry }: { error: Error; onRetry: () => void }) {
  if (error instanceof ApiError && error.status === 404)
    return <p className="text-16">{t("We couldn't find that bot.")}</p>
  return <LoadProblem message={t('Unable to load this bot')} onRetry={onRetry} />
}

function Performance({ performance }: { performance: BotPerformance }) {
  const { bot } = performance
  return (
    <>
      <PageHeader screen="bot" title={bot.name} backTo="/bot-config" />
      <div className="px-5">
        <p className="flex items-center gap-2 text-16 text-ink2">
          <BotDot bot={bot} /> {statusWord(bot)} ·{' '}
          {bot.strategy === 'balanced' ? strategyTitle(bot) : kindWords(bot)}
        </p>
        <StopNote bot={bot} />
        <WaitingPairs pairs={bot.waitingPairs} />
        <h2 className="mt-4 text-16 text-ink2">{t('Current value')}</h2>
      </div>
      <BotChart performance={performance} />
      <BotNow performance={performance} />
      <div className="px-5 pt-5">
        <OfflineReason id={OFFLINE_REASON} />
        <BotMoneyActions bot={bot} />
        <Actions bot={bot} />
        <MarketMark pairs={bot.tradingPairs} rest="max-lg:hidden" />
      </div>
      <BotTrades performance={performance} />
      <BotPlan bot={bot} />
      <BotGuards bot={bot} nextDay={performance.nextDay} />
      <div className="pt-6">
        <BotDay performance={performance} />
        <BotFigures performance={performance} />
        <BotChartTable performance={performance} />
      </div>
    </>
  )
}

function Actions({ bot }: { bot: Bot }) {
  const [, navigate] = useLocation()
  if (bot.status === 'closing') {
    return (
      <p className="text-16 text-ink2">
        {t('Closing: its coins are being sold, then the money returns to your balance.')}
      </p>
    )
  }
  return (
    <div className="flex items-center justify-between gap-3 pt-2">
      <LinkButton href={`/compare/${bot.id}`} look="quiet" className="-ml-2">
        {t('Compare')}
      </LinkButton>
      <BotMenu bot={bot} onDeleted={() => navigate('/bot-config')} />
    </div>
  )
}

function BotTrades({ performance }: { performance: BotPerformance }) {
  const trades = useBotTrades(performance.bot.id)
  const replay = useSimulation(performance.bot)
  const count = trades.data?.pages[0]?.count
  return (
    <Section
      title={t('Trades')}
      aside={<span className="text-16 text-ink2">{trades.isError ? undefined : count}</span>}
    >
      <TradeList performance={performance} trades={trades} onReplay={replay.run} />
      {/* Stays open when the first trade arrives. */}
      <SimulationSheet {...replay} />
    </Section>
  )
}

/** Trades shown until a press shows all. */
const LATEST = 1

function TradeList({
  performance,
  trades,
  onReplay,
}: {
  performance: BotPerformance
  trades: ReturnType<typeof useBotTrades>
  onReplay: () => void
}) {
  const time = useMarketTime()
  const [showsAll, setShowsAll] = useState(false)
  if (!trades.data || trades.isError)
    return (
      <Loading
        query={trades}
        problem={t("Unable to load this bot's trades")}
        className="h-24 w-full"
      />
    )
  const items = trades.data.pages.flatMap((page) => page.items)
  const shown = showsAll ? items : items.slice(0, LATEST)
  if (items.length === 0) return <NoTrades performance={performance} onReplay={onReplay} />
  return (
    <>
      <ul className="divide-y divide-hairline">
        {shown.map((trade) => (
          <TradeLine key={trade.id} trade={trade} time={time} />
        ))}
      </ul>
      {showsAll && (
        <LoadMore
          hasMore={trades.hasNextPage}
          loading={trades.isFetchingNextPage}
          onMore={() => void trades.fetchNextPage()}
        />
      )}
      {items.length > LATEST && (
        <ShowAllButton showsAll={showsAll} onChange={setShowsAll}>
          {t('All trades')}
        </ShowAllButton>
      )}
      {(showsAll || items.length <= LATEST) && (
        <DownloadLink href={`${plainRoutes.trades}?bot=${performance.bot.id}`}>
          {t('Download trades (CSV)')}
        </DownloadLink>
      )}
    </>
  )
}
