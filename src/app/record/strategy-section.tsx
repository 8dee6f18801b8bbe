import type { RecordedCash, RecordedStrategy } from '#contract/track-record.ts'
import { t, tCount } from '#words/words.ts'
import { HypotheticalMark } from '#app/evidence/hypothetical-mark.tsx'
import { EmptyState } from '#app/ui/frame/empty-state.tsx'
import { Section } from '#app/ui/frame/section.tsx'
import { Change } from '#app/ui/money/change.tsx'
import { GapReceipt } from './gap-receipt.tsx'
import { PoolTable } from './pool-table.tsx'
import { RecordChart } from './record-chart.tsx'
import { recordTitle } from './record-text.ts'

/**
 * One strategy: its line beside the backtest's, the gap between them with its parts, and its pairs.
 */
export function StrategySection({
  record,
  cash,
}: {
  record: RecordedStrategy
  cash: RecordedCash
}) {
  const { strategy, real, backtest, gap, pools } = record
  const isUsed = pools.some(({ state }) => state !== 'never')
  return (
    <Section title={recordTitle(strategy)}>
      {!isUsed && (
        <EmptyState title={t('No bot has used this strategy here yet.')}>
          {t('Its record begins with the first one.')}
        </EmptyState>
      )}
      {isUsed && (
        <>
          <Line line="border-ink" name={t('Here')} percent={real} />
          {backtest !== null && (
            <Line
              line="border-dashed border-accent"
              name={t('Backtest')}
              percent={backtest}
              isHypothetical
            />
          )}
          <Line
            line="border-dotted border-ink3"
            name={t('As cash')}
            percent={cash.at(-1)?.percent ?? '0.00'}
          />
          <RecordChart record={record} cash={cash} />
          {gap && <GapReceipt gap={gap} />}
          <details className="pt-3">
            <summary
              className={
                'flex min-h-12 cursor-pointer items-center text-16 font-semibold text-accent ' +
                'underline'
              }
            >
              {tCount(pools.length, { one: '{count} pair', other: '{count} pairs' })}
            </summary>
            <PoolTable
              pools={pools}
              caption={t('{strategy} by pair', { strategy: recordTitle(strategy) })}
            />
          </details>
        </>
      )}
    </Section>
  )
}

function Line({
  line,
  name,
  percent,
  isHypothetical = false,
}: {
  line: string
  name: string
  percent: string
  isHypothetical?: boolean
}) {
  return (
    <p className="flex min-h-8 flex-wrap items-center gap-x-3 text-16">
      <span aria-hidden="true" className={`w-6 border-t-2 ${line}`} />
      <span className="min-w-0 font-semibold">{name}</span>
      <Change percent={percent} className="ml-auto font-medium" />
      {isHypothetical && (
        <span className="basis-full pb-1 pl-9">
          <HypotheticalMark />
        </span>
      )}
    </p>
  )
}
