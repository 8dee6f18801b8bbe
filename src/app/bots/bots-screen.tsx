import { useBots } from '../api/queries.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { LoadProblem } from '../ui/load-problem.tsx'
import { OFFLINE_REASON, OfflineReason } from '../ui/offline-reason.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Section } from '../ui/section.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { BotActions } from './bot-actions.tsx'
import { BotRow } from './bot-row.tsx'
import { CreateBotForm } from './create-bot-form.tsx'
import { StopAllButton } from './stop-all-button.tsx'

export function BotsScreen() {
  return (
    <>
      <PageHeader title="Bot Configuration" />
      <div className="-mt-6">
        <Section title="Your Trading Bots">
          <BotList />
        </Section>
      </div>
      <Section title="New bot">
        <CreateBotForm />
      </Section>
    </>
  )
}

function BotList() {
  const bots = useBots()
  if (bots.isError) return <LoadProblem message="Unable to load your bots" onRetry={() => void bots.refetch()} />
  if (!bots.data) return <Skeleton className="h-32 w-full" />
  if (bots.data.length === 0) return <EmptyState title="No bots yet">Your first bot starts with the form below.</EmptyState>
  return (
    <>
      <OfflineReason id={OFFLINE_REASON} />
      <ul className="divide-y divide-hairline border-b border-hairline">
        {bots.data.map((bot) => (
          <li key={bot.id} className="pb-2">
            <BotRow bot={bot} />
            <BotActions bot={bot} />
          </li>
        ))}
      </ul>
      {bots.data.length > 1 && <StopAllButton />}
    </>
  )
}
