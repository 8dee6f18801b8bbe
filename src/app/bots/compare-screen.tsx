import { useId } from 'react'
import type { Comparison } from '#contract/comparison.ts'
import { choiceOf } from '#core/strategy/strategy-key.ts'
import { strategyTitle } from '#words/strategy-names.ts'
import { t } from '#words/words.ts'
import { ApiError } from '#app/api/call.ts'
import { MarketMark } from '#app/market/market-mark.tsx'
import { PageHeader } from '#app/shell/page-header.tsx'
import { usePathId, useSearchParams } from '#app/ui/frame/address.ts'
import { LoadProblem } from '#app/ui/frame/load-problem.tsx'
import { WholeSelect } from '#app/ui/forms/whole-select.tsx'
import { Skeleton } from '#app/ui/frame/skeleton.tsx'
import { useComparison } from './bot-queries.ts'
import { ComparisonChart } from './comparison-chart.tsx'
import { ComparisonTable } from './comparison-table.tsx'

const WIDE_PART = 'lg:col-span-2 lg:col-start-1 lg:row-span-2 lg:row-start-1'

/** A bot's growth beside that of another bot or of another risk level. The address names both. */
export function CompareScreen() {
  const id = usePathId()
  const [search, setSearch] = useSearchParams()
  const chosen = search.get('with') ?? undefined
  const comparison = useComparison(id, chosen)
  return (
    <>
      <PageHeader screen="compare" backTo={`/bot-config/${id}`} />
      {comparison.isPending && <Skeleton className="mx-5 h-120" />}
      {comparison.isError && (
        <div className="px-5">
          <Problem error={comparison.error} onRetry={() => void comparison.refetch()} />
        </div>
      )}
      {comparison.data && !comparison.isError && (
        <div
          aria-busy={comparison.isPlaceholderData}
          className="lg:grid lg:grid-cols-3 lg:grid-rows-[auto_1fr] lg:gap-x-8"
        >
          <div className="px-5 lg:col-start-3">
            <Choice
              comparison={comparison.data}
              chosen={chosen}
              onChoose={(next) =>
                setSearch(() => new URLSearchParams({ with: next }), { replace: true })
              }
            />
          </div>
          {/* The figures of another choice are never shown below this one. */}
          {comparison.isPlaceholderData ? (
            <Skeleton className={`mx-5 mt-6 h-120 lg:mt-0 ${WIDE_PART}`} />
          ) : (
            <Outcome comparison={comparison.data} />
          )}
        </div>
      )}
    </>
  )
}

function Outcome({ comparison }: { comparison: Comparison }) {
  return (
    <>
      <div className={`pt-6 lg:pt-0 ${WIDE_PART}`}>
        <ComparisonChart comparison={comparison} />
        <div className="px-5 pt-2">
          <MarketMark pairs={comparison.bot.tradingPairs} />
        </div>
      </div>
      <div className="px-5 lg:col-start-3">
        <ComparisonTable comparison={comparison} />
      </div>
    </>
  )
}

function Problem({ error, onRetry }: { error: Error; onRetry: () => void }) {
  if (error instanceof ApiError && error.status === 404)
    return <p className="text-16">{t('Bot not found.')}</p>
  return <LoadProblem message={t('Unable to compare this bot')} onRetry={onRetry} />
}

function Choice({
  comparison,
  chosen,
  onChoose,
}: {
  comparison: Comparison
  chosen: string | undefined
  onChoose: (chosen: string) => void
}) {
  const id = useId()
  const { bot, strategies, bots } = comparison
  const value = chosen ?? comparison.with
  const strategy = strategies.find((each) => each === value)
  const shown = strategy
    ? strategyTitle(choiceOf(strategy))
    : (bots.find((other) => other.id === value)?.name ?? comparison.other.name)
  return (
    <>
      <label htmlFor={id} className="mb-1.5 block text-14 font-medium">
        {t('Compare {bot} with', { bot: bot.name })}
      </label>
      <WholeSelect
        id={id}
        shown={shown}
        value={value}
        onChange={(event) => onChoose(event.target.value)}
      >
        <optgroup label={t('The same bot with another strategy (hypothetical)')}>
          {strategies.map((each) => (
            <option key={each} value={each}>
              {strategyTitle(choiceOf(each))}
            </option>
          ))}
        </optgroup>
        {bots.length > 0 && (
          <optgroup label={t('Your other bots')}>
            {bots.map((other) => (
              <option key={other.id} value={other.id}>
                {other.name}
              </option>
            ))}
          </optgroup>
        )}
      </WholeSelect>
    </>
  )
}
