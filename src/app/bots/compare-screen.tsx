import { useId, type ReactNode } from 'react'
import type { Comparison } from '#contract/comparison.ts'
import { choiceOf } from '#core/strategy/strategy-key.ts'
import { strategyTitle } from '#words/strategy-names.ts'
import { t } from '#words/words.ts'
import { ApiError } from '#app/api/call.ts'
import { MarketMark } from '#app/market/market-mark.tsx'
import { useMarketTime } from '#app/market/market-time.ts'
import { pairsText } from '#app/market/market-text.ts'
import { PageHeader } from '#app/shell/page-header.tsx'
import { WholeSelect } from '#app/ui/forms/whole-select.tsx'
import { usePathId, useSearchParams } from '#app/ui/frame/address.ts'
import { LoadProblem, Skeleton } from '#app/ui/frame/section.tsx'
import { Change, Percent } from '#app/ui/money/money.tsx'
import { useComparison } from './bot-queries.ts'
import { ComparisonChart } from './comparison-chart.tsx'

const WIDE_PART = 'lg:col-span-2 lg:col-start-1 lg:row-span-2 lg:row-start-1'

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
          {comparison.isPlaceholderData ? (
            <Skeleton className={`mx-5 mt-6 h-120 lg:mt-0 ${WIDE_PART}`} />
          ) : (
            <ComparisonLine comparison={comparison.data} />
          )}
        </div>
      )}
    </>
  )
}

function ComparisonLine({ comparison }: { comparison: Comparison }) {
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

function ComparisonTable({
  comparison: { bot, other, from, to, disclaimer },
}: {
  comparison: Comparison
}) {
  const { periodText } = useMarketTime()
  const sides = [bot, other]
  const rows = useRows(from).filter(({ isShown = () => true }) => sides.some(isShown))
  return (
    <>
      {/* At very large text, only the table scrolls, and its spoken texts with it. */}
      <div className="relative mt-6 overflow-x-auto">
        <table className="w-full text-left text-14">
          <caption className="pb-2 text-left text-ink2">
            {t('{period}, after all costs, as if closed at the end', {
              period: periodText(from, to),
            })}
          </caption>
          <thead>
            <tr className="border-b border-ink align-bottom">
              <th scope="col" className="sr-only">
                {t('Figure')}
              </th>
              {sides.map(({ name, hypothetical }, place) => (
                <th
                  key={place}
                  scope="col"
                  className="py-2 pl-3 text-right font-semibold break-words"
                >
                  {name}
                  {hypothetical && (
                    <span className="block font-normal text-ink2">{t('hypothetical')}</span>
                  )}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="divide-y divide-hairline">
            {rows.map(({ title, of }) => (
              <tr key={title}>
                <th scope="row" className="py-2 font-normal text-ink2">
                  {title}
                </th>
                {sides.map((side, place) => (
                  <td key={place} className="py-2 pl-3 text-right">
                    {of(side)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="pt-3 text-14 text-ink2">
        {t('Money put in or taken out is neither a gain nor a loss here.')}
      </p>
      {disclaimer !== null && <p className="pt-2 text-14 text-ink2">{disclaimer}</p>}
    </>
  )
}

type Side = Comparison['bot']
type Row = { title: string; of: (side: Side) => ReactNode; isShown?: (side: Side) => boolean }

function useRows(from: string): readonly Row[] {
  const { momentText } = useMarketTime()
  return [
    { title: t('Result'), of: ({ change }) => <Change percent={change} /> },
    {
      title: t('Largest drop'),
      of: ({ deepestFall }) => <Percent value={deepestFall} sign="never" />,
    },
    { title: t('Strategy'), of: strategyTitle },
    { title: t('Pairs'), of: ({ tradingPairs }) => pairsText(tradingPairs) },
    {
      title: t('Strategy and pairs since'),
      of: ({ settingsSince }) => momentText(settingsSince ?? from),
      isShown: ({ settingsSince }) => settingsSince !== null,
    },
  ]
}
