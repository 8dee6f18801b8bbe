import type { Bot } from '#contract/bots.ts'
import { t } from '#words/words.ts'
import type { PortfolioResult } from '#app/api/portfolio.ts'
import { BotRow } from '#app/bots/bot-row.tsx'
import { LinkButton } from '#app/ui/buttons/button.tsx'
import { LoadProblem, Section, Skeleton } from '#app/ui/frame/section.tsx'
import { Link } from '#app/ui/frame/link.tsx'

const SHOWN = 5

/** `rows`: placeholders until the portfolio is there. */
type Props = { portfolio: PortfolioResult; rows: number }

/** Bots that trade first; paused and closing ones have a section of their own. */
export function ActiveBots({ portfolio, rows }: Props) {
  const shown = portfolio.isError ? undefined : portfolio.data
  const { active, resting, restingTitle } = groupBots(shown?.bots ?? [])
  const room = Math.max(0, SHOWN - active.length)
  return (
    <>
      <Section
        title={t('Active Trading Bots')}
        aside={
          <Link
            href="/bot-config"
            className={
              '-mr-2 inline-flex min-h-12 items-center px-2 text-16 font-semibold text-accent'
            }
          >
            {t('Configure')}
          </Link>
        }
      >
        {shown ? <ActiveList bots={active} /> : <NoList portfolio={portfolio} rows={rows} />}
      </Section>
      {room > 0 && resting.length > 0 && (
        <Section title={restingTitle}>
          <Rows bots={resting.slice(0, room)} />
        </Section>
      )}
      {shown && shown.bots.length > SHOWN && (
        <div className="px-5">
          <LinkButton href="/bot-config" look="quiet" className="-ml-2">
            {t('All {count} bots', { count: shown.bots.length })}
          </LinkButton>
        </div>
      )}
    </>
  )
}

function NoList({ portfolio, rows }: Props) {
  return portfolio.isError ? (
    <LoadProblem message={t('Unable to load your bots')} onRetry={() => void portfolio.refetch()} />
  ) : (
    <RowSkeletons rows={rows} />
  )
}

function ActiveList({ bots }: { bots: readonly Bot[] }) {
  if (bots.length > 0) return <Rows bots={bots.slice(0, SHOWN)} />
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-3">
      <p className="text-16 text-ink2">{t('No active bots')}</p>
      <LinkButton href="/bot-config" look="quiet" className="-mr-2">
        {t('Create your first bot')}
      </LinkButton>
    </div>
  )
}

function Rows({ bots }: { bots: readonly Bot[] }) {
  return (
    <ul className="divide-y divide-hairline">
      {bots.map((bot) => (
        <li key={bot.id}>
          <BotRow bot={bot} />
        </li>
      ))}
    </ul>
  )
}

function RowSkeletons({ rows }: Pick<Props, 'rows'>) {
  return (
    <ul aria-label={t('Loading bots')} className="min-h-12 divide-y divide-hairline">
      {[1, 2].slice(2 - rows).map((row) => (
        <li key={row} className="h-23 py-3">
          <Skeleton className="h-full" />
        </li>
      ))}
    </ul>
  )
}

type BotGroups = { active: Bot[]; resting: Bot[]; restingTitle: string }

function groupBots(bots: readonly Bot[]): BotGroups {
  const resting = bots.filter(({ isActive }) => !isActive)
  return {
    active: bots.filter(({ isActive }) => isActive),
    resting,
    restingTitle: arePaused(resting) ? t('Paused Bots') : t('Other Bots'),
  }
}

const arePaused = (bots: readonly Bot[]): boolean => bots.every(({ status }) => status === 'paused')

/** A line below the greeting if no bot is active. */
export function idleText(bots: readonly Bot[]): string | undefined {
  if (bots.length === 0) return t('No bot is running yet')
  if (bots.some(({ isActive }) => isActive)) return undefined
  return arePaused(bots) ? t('All bots are paused') : t('No bot is trading now')
}
