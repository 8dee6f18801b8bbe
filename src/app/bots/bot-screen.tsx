import { useLocation, useParams } from 'wouter'
import type { BotPerformance } from '#contract/bots.ts'
import { ApiError } from '#app/api/call.ts'
import { useBotPerformance } from '#app/api/queries.ts'
import { LoadProblem } from '#app/ui/frame/load-problem.tsx'
import { Money } from '#app/ui/money/money.tsx'
import { OFFLINE_REASON, OfflineReason } from '#app/ui/buttons/offline-reason.tsx'
import { PageHeader } from '#app/shell/page-header.tsx'
import { pairsText } from '#app/market/pair-text.ts'
import { Skeleton } from '#app/ui/frame/skeleton.tsx'
import { BotActions } from './bot-actions.tsx'
import { BotChart } from './bot-chart.tsx'
import { BotDot } from './bot-dot.tsx'
import { BotFigures } from './bot-figures.tsx'
import { BotHoldings } from './bot-holdings.tsx'
import { BotMoneyActions } from './bot-money-actions.tsx'
import { BotTrades } from './bot-trades.tsx'

export function BotScreen() {
  const { id = '' } = useParams<{ id: string }>()
  const performance = useBotPerformance(id)
  if (performance.data) return <Performance performance={performance.data} />
  return (
    <>
      <PageHeader screen="bot" backTo="/bot-config" />
      <div className="px-5">
        {performance.isPending && <Skeleton className="h-100 w-full" />}
        {performance.isError && <Problem error={performance.error} onRetry={() => void performance.refetch()} />}
      </div>
    </>
  )
}

function Problem({ error, onRetry }: { error: Error; onRetry: () => void }) {
  if (error instanceof ApiError && error.status === 404) return <p className="text-16">Bot not found.</p>
  return <LoadProblem message="Unable to load this bot" onRetry={onRetry} />
}

function Performance({ performance }: { performance: BotPerformance }) {
  const [, navigate] = useLocation()
  const { bot } = performance
  return (
    <>
      <PageHeader screen="bot" title={bot.name} backTo="/bot-config" />
      <div className="px-5">
        <p className="flex items-center gap-2 text-14 text-ink2">
          <BotDot bot={bot} /> {bot.status} · {bot.riskLevel} · {pairsText(bot.tradingPairs)}
        </p>
        <h2 className="mt-4 text-16 text-ink2">Worth at the last price</h2>
      </div>
      <BotChart performance={performance} />
      <p className="px-5 pt-1 text-14 text-ink2">
        Fee if you closed now: <Money amount={bot.closingFee} />
        {bot.closingFee !== '0.00' && ', already taken off'}
      </p>
      <div className="px-5 pt-3">
        <OfflineReason id={OFFLINE_REASON} />
        <BotMoneyActions bot={bot} />
        <BotActions bot={bot} onDeleted={() => navigate('/bot-config')} />
      </div>
      <BotFigures performance={performance} />
      <BotHoldings holdings={performance.holdings} />
      <BotTrades id={bot.id} />
    </>
  )
}
