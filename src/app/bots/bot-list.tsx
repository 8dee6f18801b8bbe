import { t } from '#words/words.ts'
import type { PortfolioResult } from '#app/api/queries.ts'
import { OFFLINE_REASON, OfflineReason } from '#app/ui/buttons/offline-reason.tsx'
import { LinkButton } from '#app/ui/buttons/link-button.tsx'
import { EmptyState } from '#app/ui/frame/empty-state.tsx'
import { LoadProblem } from '#app/ui/frame/load-problem.tsx'
import { Section } from '#app/ui/frame/section.tsx'
import { Skeleton } from '#app/ui/frame/skeleton.tsx'
import { BotMenu } from './bot-menu.tsx'
import { BotRow } from './bot-row.tsx'
import { StopAllButton } from './stop-all-button.tsx'
import { useAwaitedBot } from './use-awaited-bot.ts'

type Props = {
  portfolio: PortfolioResult
  /** Id of the bot that stands beside the list. */
  current?: string | undefined
}

/** All bots of the user, the way to a new one above them: a long list never buries it. */
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
  if (portfolio.isError)
    return (
      <LoadProblem
        message={t('Unable to load your bots')}
        onRetry={() => void portfolio.refetch()}
      />
    )
  if (!portfolio.data) return <Skeleton className="h-32 w-full" />
  const { bots } = portfolio.data
  if (bots.length === 0 && isAwaited) return <Skeleton className="h-32 w-full" />
  if (bots.length === 0)
    return (
      <EmptyState title={t('No bots yet')}>
        {t('Three short steps start your first one.')}
      </EmptyState>
    )
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
              'flex items-center gap-1 ' +
              (bot.id === current ? 'rounded-control bg-raised pl-2 -ml-2' : '')
            }
          >
            <div className="min-w-0 flex-1">
              <BotRow bot={bot} />
            </div>
            <BotMenu bot={bot} />
          </li>
        ))}
      </ul>
      {bots.length > 1 && <StopAllButton bots={bots} />}
    </>
  )
}
