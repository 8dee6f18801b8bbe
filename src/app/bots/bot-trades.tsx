import { plainRoutes } from '#contract/routes.ts'
import { t } from '#words/words.ts'
import { useBotTrades } from '#app/api/long-lists.ts'
import { useMarketTime } from '#app/market/market-time.ts'
import { DownloadLink } from '#app/ui/buttons/download-link.tsx'
import { LoadMore } from '#app/ui/frame/load-more.tsx'
import { LoadProblem } from '#app/ui/frame/load-problem.tsx'
import { Section } from '#app/ui/frame/section.tsx'
import { Skeleton } from '#app/ui/frame/skeleton.tsx'
import { TradeLine } from './trade-line.tsx'

export function BotTrades({ id }: { id: string }) {
  const trades = useBotTrades(id)
  const count = trades.data?.pages[0]?.count
  return (
    <Section
      title={t('Trades')}
      aside={<span className="text-14 text-ink2">{trades.isError ? undefined : count}</span>}
    >
      {count !== undefined && count > 0 && (
        <DownloadLink href={`${plainRoutes.trades}?bot=${id}`}>
          {t('Download trades (CSV)')}
        </DownloadLink>
      )}
      <TradeList trades={trades} />
    </Section>
  )
}

function TradeList({ trades }: { trades: ReturnType<typeof useBotTrades> }) {
  const time = useMarketTime()
  if (trades.isError)
    return (
      <LoadProblem
        message={t("Unable to load this bot's trades")}
        onRetry={() => void trades.refetch()}
      />
    )
  if (!trades.data) return <Skeleton className="h-24 w-full" />
  const items = trades.data.pages.flatMap((page) => page.items)
  if (items.length === 0) {
    return (
      <p className="text-16 text-ink2">
        {t('No trades yet. This bot buys when a price trend starts.')}
      </p>
    )
  }
  return (
    <>
      <ul className="divide-y divide-hairline">
        {items.map((trade) => (
          <TradeLine key={trade.id} trade={trade} time={time} />
        ))}
      </ul>
      <LoadMore
        hasMore={trades.hasNextPage}
        loading={trades.isFetchingNextPage}
        onMore={() => void trades.fetchNextPage()}
      />
    </>
  )
}
