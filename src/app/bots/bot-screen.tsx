import type { Bot, BotPerformance } from '#contract/bots.ts'
import { strategyTitle } from '#words/strategy-names.ts'
import { t } from '#words/words.ts'
import { ApiError } from '#app/api/call.ts'
import { LinkButton } from '#app/ui/buttons/link-button.tsx'
import { useLocation, usePathId } from '#app/ui/frame/address.ts'
import { LoadProblem } from '#app/ui/frame/load-problem.tsx'
import { Money } from '#app/ui/money/money.tsx'
import { OFFLINE_REASON, OfflineReason } from '#app/ui/buttons/offline-reason.tsx'
import { PageHeader } from '#app/shell/page-header.tsx'
import { pairsText } from '#app/market/pair-text.ts'
import { Skeleton } from '#app/ui/frame/skeleton.tsx'
import { Trans } from '#app/ui/words/trans.tsx'
import { BesideBots } from './beside-bots.tsx'
import { BotChart } from './bot-chart.tsx'
import { BotDot } from './bot-dot.tsx'
import { BotFigures } from './bot-figures.tsx'
import { BotGuards, StopNote } from './bot-guards.tsx'
import { BotHoldings } from './bot-holdings.tsx'
import { BotMenu } from './bot-menu.tsx'
import { BotMoneyActions } from './bot-money-actions.tsx'
import { BotPlan } from './bot-plan.tsx'
import { useBotPerformance } from './bot-queries.ts'
import { BotTrades } from './bot-trades.tsx'
import { kindWords, statusWord } from './bot-words.ts'
import { SimulateButton } from './simulate-button.tsx'

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
        <p className="flex items-center gap-2 text-14 text-ink2">
          <BotDot bot={bot} /> {statusWord(bot)} ·{' '}
          {bot.strategy === 'balanced' ? strategyTitle(bot) : kindWords(bot)} ·{' '}
          {pairsText(bot.tradingPairs)}
        </p>
        <StopNote bot={bot} />
        <h2 className="mt-4 text-16 text-ink2">{t('Current value')}</h2>
      </div>
      <BotChart performance={performance} />
      <p className="px-5 pt-1 text-14 text-ink2">
        <ClosingFee fee={bot.closingFee} />
      </p>
      <LinkButton href={`/compare/${bot.id}`} look="quiet" className="ml-3">
        {t('Compare')}
      </LinkButton>
      <div className="px-5 pt-3">
        <OfflineReason id={OFFLINE_REASON} />
        <BotMoneyActions bot={bot} />
        <Actions bot={bot} />
      </div>
      <BotPlan bot={bot} />
      <BotFigures performance={performance} />
      <BotGuards bot={bot} />
      <BotHoldings holdings={performance.holdings} />
      <BotTrades id={bot.id} />
    </>
  )
}

function ClosingFee({ fee }: { fee: string }) {
  const amount = <Money amount={fee} />
  if (fee === '0.00') return <Trans message="Fee if you closed now: {amount}" amount={amount} />
  return <Trans message="Fee if you closed now: {amount}, already taken off" amount={amount} />
}

function Actions({ bot }: { bot: Bot }) {
  const [, navigate] = useLocation()
  if (bot.status === 'closing') {
    return (
      <p className="text-14 text-ink2">
        {t('Closing: its coins are being sold, then the money returns to your balance.')}
      </p>
    )
  }
  return (
    <div className="flex items-center justify-between gap-3 pt-2">
      <SimulateButton bot={bot} />
      <BotMenu bot={bot} onDeleted={() => navigate('/bot-config')} />
    </div>
  )
}
