import { Link } from 'wouter'
import { useBots } from '../api/queries.ts'
import { BotRow } from '../bots/bot-row.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { LinkButton } from '../ui/link-button.tsx'
import { LoadProblem } from '../ui/load-problem.tsx'
import { Section } from '../ui/section.tsx'
import { Skeleton } from '../ui/skeleton.tsx'

const SHOWN = 5

export function ActiveBots() {
  return (
    <Section
      title="Active Trading Bots"
      aside={
        <Link href="/bot-config" className="-mr-2 inline-flex min-h-12 items-center px-2 text-16 font-semibold text-accent">
          Configure
        </Link>
      }
    >
      <BotList />
    </Section>
  )
}

function BotList() {
  const bots = useBots()
  if (bots.isError) return <LoadProblem message="Unable to load your bots" onRetry={() => void bots.refetch()} />
  if (!bots.data) return <RowSkeletons />
  if (bots.data.length === 0) {
    return (
      <EmptyState title="No active bots" action={<LinkButton href="/bot-config">Create your first bot</LinkButton>}>
        Choose how much risk it takes; see what it would have done before any money moves.
      </EmptyState>
    )
  }
  return (
    <>
      <ul className="divide-y divide-hairline">
        {bots.data.slice(0, SHOWN).map((bot) => (
          <li key={bot.id}>
            <BotRow bot={bot} />
          </li>
        ))}
      </ul>
      {bots.data.length > SHOWN && (
        <LinkButton href="/bot-config" look="quiet" className="-ml-2">
          All {bots.data.length} bots
        </LinkButton>
      )}
    </>
  )
}

function RowSkeletons() {
  return (
    <ul aria-label="Loading bots" className="divide-y divide-hairline">
      {[1, 2].map((row) => (
        <li key={row} className="flex h-18 items-center justify-between">
          <span className="grid gap-2">
            <Skeleton className="h-4 w-28" />
            <Skeleton className="h-3.5 w-40" />
          </span>
          <span className="grid justify-items-end gap-2">
            <Skeleton className="h-4 w-16" />
            <Skeleton className="h-3.5 w-14" />
          </span>
        </li>
      ))}
    </ul>
  )
}
