import { useState } from 'react'
import type { Bot } from '#contract/bots.ts'
import { t } from '#words/words.ts'
import { useStopAll } from './bot-queries.ts'
import { showFailure } from '#app/api/failure-toast.ts'
import type { PortfolioResult } from '#app/api/portfolio.ts'
import { useConfig } from '#app/api/queries.ts'
import { LinkButton } from '#app/ui/buttons/button.tsx'
import { OfflineButton } from '#app/ui/buttons/offline-button.tsx'
import { OFFLINE_REASON, OfflineReason } from '#app/ui/buttons/offline-reason.tsx'
import { EmptyState } from '#app/ui/frame/empty-state.tsx'
import { Loading } from '#app/ui/frame/loading.tsx'
import { Section, Skeleton } from '#app/ui/frame/section.tsx'
import { sumOf } from '#app/ui/money/amount-text.ts'
import { Money } from '#app/ui/money/money.tsx'
import { ConfirmDialog } from '#app/ui/overlays/confirm-dialog.tsx'
import { showToast } from '#app/ui/overlays/toast.ts'
import { Trans } from '#app/ui/words/trans.tsx'
import { BotMenu } from './bot-menu.tsx'
import { BotRow } from './bot-row.tsx'
import { useAwaitedBot } from './created-bot.ts'
import { forecastClosing } from './take-out-forecast.ts'

type Props = {
  portfolio: PortfolioResult
  current?: string | undefined
}

/**
 * All bots of the user. The link to a new bot comes first, because it is hard to find below a long
 * list.
 */
export function BotList({ portfolio, current }: Props) {
  return (
    <Section
      title={t('Your Trading Bots')}
      aside={
        <LinkButton href="/bot-config/new" look="quiet" className="-mr-2">
          {t('New bot')}
        </LinkButton>
      }
    >
      <Rows portfolio={portfolio} current={current} />
    </Section>
  )
}

function Rows({ portfolio, current }: Props) {
  const isAwaited = useAwaitedBot(portfolio)
  if (!portfolio.data || portfolio.isError)
    return (
      <Loading query={portfolio} problem={t('Unable to load your bots')} className="h-32 w-full" />
    )
  const { bots } = portfolio.data
  if (bots.length === 0 && isAwaited) return <Skeleton className="h-32 w-full" />
  if (bots.length === 0)
    return <EmptyState title={t('No bots yet')}>{t('One press starts your first bot.')}</EmptyState>
  return (
    <>
      <OfflineReason id={OFFLINE_REASON} />
      <ul className="divide-y divide-hairline border-b border-hairline">
        {isAwaited && (
          <li aria-busy="true" className="py-3">
            <Skeleton className="h-16 w-full" />
          </li>
        )}
        {bots.map((bot) => (
          <li
            key={bot.id}
            className={
              'flex items-center ' +
              (bot.id === current ? 'rounded-control bg-raised pl-2 -ml-2' : '')
            }
          >
            <div className="min-w-0 flex-1">
              <BotRow bot={bot} />
            </div>
            <div className="-mr-3">
              <BotMenu bot={bot} />
            </div>
          </li>
        ))}
      </ul>
      {bots.length > 1 && <StopAllButton bots={bots} />}
    </>
  )
}

function StopAllButton({ bots }: { bots: readonly Bot[] }) {
  const stopAll = useStopAll()
  const [asking, setAsking] = useState(false)
  const stop = () => {
    setAsking(false)
    stopAll.mutate(undefined, {
      onSuccess: () =>
        showToast({
          title: t('All bots are closing'),
          description: t(
            'Their coins are sold at market price, and the cash returns to your balance.',
          ),
        }),
      onError: (error) => showFailure(error, 'stopAll'),
    })
  }
  return (
    <>
      <OfflineButton
        look="quiet-danger"
        className="-ml-2"
        pending={stopAll.isPending}
        pendingLabel={t('Stopping…')}
        onClick={() => setAsking(true)}
      >
        {t('Stop all bots')}
      </OfflineButton>
      <ConfirmDialog
        open={asking}
        onCancel={() => setAsking(false)}
        onConfirm={stop}
        question={t('Stop all bots?')}
        confirmLabel={t('Stop all')}
        cancelLabel={t('Keep going')}
      >
        {t('Each bot sells its coins at market price.')} <Returned bots={bots} />{' '}
        {t('Losses become final.')}
      </ConfirmDialog>
    </>
  )
}

/**
 * The money returned by stopping all bots, without those that are closing already. Each bot has its
 * own fee, which another bot's loss does not lower.
 */
function Returned({ bots }: { bots: readonly Bot[] }) {
  const costBps = useConfig().data?.tradingCostBps ?? 0
  const forecasts = bots
    .filter(({ status }) => status !== 'closing')
    .map((bot) => forecastClosing(bot, costBps))
  const [fee, cost, rest] = (['fee', 'cost', 'returned'] as const).map((name) =>
    sumOf(...forecasts.map((one) => one[name])),
  )
  const values = {
    fee: <Shown amount={fee} />,
    cost: <Shown amount={cost} />,
    rest: <Shown amount={rest} />,
  }
  return (
    <Trans
      message="Selling costs about {cost}, our fee is about {fee}, and about {rest} returns to your balance."
      {...values}
    />
  )
}

function Shown({ amount = '0.00' }: { amount: string | undefined }) {
  return <Money amount={amount} className="font-semibold text-ink" />
}
