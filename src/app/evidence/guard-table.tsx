import { useId, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { GuardEvidence, GuardRow } from '#contract/evidence.ts'
import type { QueryKey } from '#contract/query-key.ts'
import { choiceOf, STRATEGY_KEYS, type StrategyKey } from '#core/strategy/strategy-key.ts'
import { countText } from '#words/figures.ts'
import { strategyTitle } from '#words/strategy-names.ts'
import { msg, say, t } from '#words/words.ts'
import { call } from '#app/api/call.ts'
import { WholeSelect } from '#app/ui/forms/whole-select.tsx'
import { LoadProblem, Skeleton } from '#app/ui/frame/section.tsx'
import { figureText, Percent, percentText } from '#app/ui/money/money.tsx'
import { Door } from '#app/ui/frame/door.tsx'
import { onceComputed } from './evidence-queries.ts'
import { otherPricesNote } from './evidence-notes.ts'

export function GuardTable({ strategy }: { strategy: StrategyKey }) {
  const { data, isPending, isError, refetch } = useGuardEvidence()
  if (isPending) {
    return (
      <>
        <p role="status" className="mt-3 text-14 text-ink2">
          {t('This is being computed. The first time, it takes up to half a minute.')}
        </p>
        <Skeleton className="mt-2 h-90 w-full" />
      </>
    )
  }
  if (isError) return <LoadProblem message={say(NOT_COMPUTED)} onRetry={() => void refetch()} />
  if (data.state === 'figures')
    return (
      <Figures
        evidence={data}
        rows={data.strategies.find((one) => one.strategy === strategy)?.rows ?? []}
      />
    )
  if (data.state === 'computing')
    return <LoadProblem message={data.sentence} onRetry={() => void refetch()} />
  return <p className="mt-2 text-14 text-ink2">{data.sentence}</p>
}

function Figures({
  evidence: { windows, prices },
  rows,
}: {
  evidence: Extract<GuardEvidence, { state: 'figures' }>
  rows: readonly GuardRow[]
}) {
  const count = countText(windows)
  return (
    <>
      {/* At very large text, only the table scrolls, not the page. */}
      <div className="mt-2 overflow-x-auto">
        <table className="w-full text-right text-12 min-[375px]:text-14">
          <caption className="sr-only">{t('Guards in any 12 months')}</caption>
          <thead>
            <tr className="border-b border-ink">
              <Column name={t('Guard')} isFirst />
              <Column name={t('Median, points')} />
              <Column name={t('Better · worse')} />
              <Column name={t('Largest drop')} />
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Row key={guardName(row)} row={row} />
            ))}
          </tbody>
        </table>
      </div>
      <p className="pt-3 text-14 text-pretty text-ink2">
        {t(
          '{count} start days, each computed with the guard and without. The median difference of the results is in percentage points. Better and worse: on how many start days the guard improved or worsened the result. The largest drop is the deepest within 12 months, with the guard and without. A stopped bot stays in cash for the rest of the 12 months. Cash earns nothing.',
          { count },
        )}{' '}
        {otherPricesNote(prices)}
      </p>
    </>
  )
}

function Column({ name, isFirst = false }: { name: string; isFirst?: boolean }) {
  return (
    <th
      scope="col"
      className={
        isFirst
          ? 'w-[34%] py-2 text-left font-normal text-ink2'
          : 'w-[22%] py-2 pl-2 font-normal text-ink2'
      }
    >
      {name}
    </th>
  )
}

function Row({ row }: { row: GuardRow }) {
  const { medianPoints, betterPercent, worsePercent, reachedPercent, fall, fallWithout } = row
  return (
    <tr className="border-b border-hairline">
      <th scope="row" className="py-3 text-left font-semibold">
        {guardName(row)}
        <span className="block font-normal text-ink2">
          {t('reached in {percent}', { percent: percentText(reachedPercent, { sign: 'never' }) })}
        </span>
      </th>
      <td className="py-3 pl-2">{figureText(medianPoints)}</td>
      <td className="py-3 pl-2">
        <Percent value={betterPercent} sign="never" />
        <span className="block text-ink2">
          <Percent value={worsePercent} sign="never" />
        </span>
      </td>
      <td className="py-3 pl-2">
        <Percent value={fall} sign="never" />
        <span className="block text-ink2">
          <Percent value={fallWithout} sign="never" />
        </span>
      </td>
    </tr>
  )
}

function guardName({
  guards: { stopLossPercent, stopLossFrom, takeProfitPercent, dailyLossPercent },
}: GuardRow): string {
  if (stopLossPercent !== null)
    return stopLossFrom === 'best'
      ? t('{percent}% below its high', { percent: stopLossPercent })
      : t('Loss of {percent}%', { percent: stopLossPercent })
  if (takeProfitPercent !== null) return t('Gain of {percent}%', { percent: takeProfitPercent })
  return t('{percent}% in a day', { percent: dailyLossPercent ?? 0 })
}

const nameOf = (strategy: StrategyKey): string => strategyTitle(choiceOf(strategy))

/** Closed at first, because opening it may make the server compute for seconds. */
export function GuardResults() {
  const [strategy, setStrategy] = useState<StrategyKey>('trend-moderate')
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  return (
    <Door title={t('With a guard')} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <p className="pb-3 text-14 text-pretty text-ink2">
        {t(
          'A guard sells a bot to cash after a loss, a gain or a bad day. The bot then ' +
            'also misses the rises that follow.',
        )}
      </p>
      <label htmlFor={id} className="mb-1.5 block text-14 font-medium">
        {t('Kind and risk level')}
      </label>
      <WholeSelect
        id={id}
        shown={nameOf(strategy)}
        value={strategy}
        onChange={(event) =>
          setStrategy(STRATEGY_KEYS.find((key) => key === event.target.value) ?? strategy)
        }
      >
        {STRATEGY_KEYS.map((key) => (
          <option key={key} value={key}>
            {nameOf(key)}
          </option>
        ))}
      </WholeSelect>
      {isOpen && <GuardTable strategy={strategy} />}
    </Door>
  )
}

export const NOT_COMPUTED = msg('These figures could not be computed.')

function useGuardEvidence() {
  return useQuery({
    queryKey: ['getGuardEvidence'] satisfies QueryKey,
    queryFn: ({ signal }) => onceComputed(() => call('getGuardEvidence', { signal })),
  })
}
