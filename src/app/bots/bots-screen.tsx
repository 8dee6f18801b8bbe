import { shownPortfolio, usePortfolio, useUser, type PortfolioResult } from '#app/api/queries.ts'
import { EmptyState } from '#app/ui/frame/empty-state.tsx'
import { LoadProblem } from '#app/ui/frame/load-problem.tsx'
import { OFFLINE_REASON, OfflineReason } from '#app/ui/buttons/offline-reason.tsx'
import { PageHeader } from '#app/shell/page-header.tsx'
import { Section } from '#app/ui/frame/section.tsx'
import { Skeleton } from '#app/ui/frame/skeleton.tsx'
import { BotActions } from './bot-actions.tsx'
import { BotRow } from './bot-row.tsx'
import { CreateBotForm } from './create-bot-form.tsx'
import { StopAllButton } from './stop-all-button.tsx'

/** The bots and the available balance come from one response, so a new bot is listed exactly when its money has left the balance. */
export function BotsScreen() {
  const portfolio = usePortfolio('1M')
  const user = useUser().data
  const available = (shownPortfolio(portfolio) ?? user)?.availableBalance ?? '0.00'
  return (
    <>
      <PageHeader screen="bots" />
      <div className="-mt-6">
        <Section title="Your Trading Bots">
          <BotList portfolio={portfolio} />
        </Section>
      </div>
      <Section title="New bot">
        <CreateBotForm available={available} />
      </Section>
    </>
  )
}

function BotList({ portfolio }: { portfolio: PortfolioResult }) {
  if (portfolio.isError) return <LoadProblem message="Unable to load your bots" onRetry={() => void portfolio.refetch()} />
  if (!portfolio.data) return <Skeleton className="h-32 w-full" />
  const { bots } = portfolio.data
  if (bots.length === 0) return <EmptyState title="No bots yet">Your first bot starts with the form below.</EmptyState>
  return (
    <>
      <OfflineReason id={OFFLINE_REASON} />
      <ul className="divide-y divide-hairline border-b border-hairline">
        {bots.map((bot) => (
          <li key={bot.id} className="pb-2">
            <BotRow bot={bot} />
            <BotActions bot={bot} />
          </li>
        ))}
      </ul>
      {bots.length > 1 && <StopAllButton bots={bots} />}
    </>
  )
}
