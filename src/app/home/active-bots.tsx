import { Link } from 'wouter'
import type { PortfolioResult } from '#app/api/queries.ts'
import { BotRow } from '#app/bots/bot-row.tsx'
import { LinkButton } from '#app/ui/buttons/link-button.tsx'
import { EmptyState } from '#app/ui/frame/empty-state.tsx'
import { LoadProblem } from '#app/ui/frame/load-problem.tsx'
import { Section } from '#app/ui/frame/section.tsx'
import { Skeleton } from '#app/ui/frame/skeleton.tsx'

const SHOWN = 5

export function ActiveBots({ portfolio }: { portfolio: PortfolioResult }) {
  return (
    <Section
      title="Active Trading Bots"
      aside={
        <Link href="/bot-config" className="-mr-2 inline-flex min-h-12 items-center px-2 text-16 font-semibold text-accent">
          Configure
        </Link>
      }
    >
      <BotList portfolio={portfolio} />
    </Section>
  )
}

function BotList({ portfolio }: { portfolio: PortfolioResult }) {
  if (portfolio.isError) return <LoadProblem message="Unable to load your bots" onRetry={() => void portfolio.refetch()} />
  if (!portfolio.data) return <RowSkeletons />
  const { bots } = portfolio.data
  if (bots.length === 0) {
    return (
      <EmptyState title="No active bots" action={<LinkButton href="/bot-config">Create your first bot</LinkButton>}>
        Choose how much risk it takes; see what it would have done before any money moves.
      </EmptyState>
    )
  }
  return (
    <>
      <ul className="divide-y divide-hairline">
        {bots.slice(0, SHOWN).map((bot) => (
          <li key={bot.id}>
            <BotRow bot={bot} />
          </li>
        ))}
      </ul>
      {bots.length > SHOWN && (
        <LinkButton href="/bot-config" look="quiet" className="-ml-2">
          All {bots.length} bots
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
