import { useMemo } from 'react'
import type {
  RecordedCash,
  RecordedPool,
  RecordedStrategy,
  RecordGap,
} from '#contract/track-record.ts'
import { signOf } from '#core/money/text.ts'
import { msg, say, t, tCount } from '#words/words.ts'
import { HypotheticalMark } from '#app/evidence/hypothetical-mark.tsx'
import { pairText } from '#app/market/market-text.ts'
import { useMarketTime } from '#app/market/market-time.ts'
import { ChartFrame } from '#app/ui/charts/chart-frame.tsx'
import { GrowthLines, growthOf } from '#app/ui/charts/growth-lines.tsx'
import { Disclosure } from '#app/ui/frame/disclosure.tsx'
import { Section } from '#app/ui/frame/section.tsx'
import { Change } from '#app/ui/money/money.tsx'
import { Receipt } from '#app/ui/money/receipt.tsx'
import { bpsText, chartSentence, recordTitle } from './record-text.ts'

export function StrategySection({
  record,
  cash,
}: {
  record: RecordedStrategy
  cash: RecordedCash
}) {
  const { strategy, real, backtest, gap, pools } = record
  return (
    <Section title={recordTitle(strategy)}>
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
      {gap && (
        <Disclosure
          summary={
            <span className="flex grow flex-wrap justify-between gap-x-3">
              {t('Gap to the backtest')} <span>{bpsText(gap.total)}</span>
            </span>
          }
        >
          <div className="pb-4">
            <GapReceipt gap={gap} />
          </div>
        </Disclosure>
      )}
      <Disclosure summary={tCount(pools.length, { one: '{count} pair', other: '{count} pairs' })}>
        <PoolTable
          pools={pools}
          caption={t('{strategy} by pair', { strategy: recordTitle(strategy) })}
        />
      </Disclosure>
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

const PARTS = [
  ['fee', msg('Fee')],
  ['spread', msg('Spread')],
  ['delay', msg('Delay')],
  ['missed', msg('Missed')],
] as const satisfies readonly (readonly [keyof RecordGap, string])[]

function GapReceipt({ gap }: { gap: RecordGap }) {
  return (
    <Receipt
      lines={[
        ...PARTS.map(([part, name]) => ({ label: say(name), value: bpsText(gap[part]) })),
        signOf(gap.interest) !== 0 && {
          label: t('Interest on cash'),
          value: bpsText(gap.interest),
        },
        signOf(gap.rounding) !== 0 && { label: t('Rounding'), value: bpsText(gap.rounding) },
        { label: t('Gap to the backtest'), value: bpsText(gap.total), isTotal: true },
      ]}
    />
  )
}

function PoolTable({ pools, caption }: { pools: readonly RecordedPool[]; caption: string }) {
  const columns = [t('Here'), t('Backtest'), t('Gap')]
  return (
    // At very large text, only the table scrolls, and its spoken texts with it.
    <div className="relative overflow-x-auto">
      <table className="w-full text-right text-14">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr className="border-b border-ink">
            <th scope="col" className="py-2 text-left font-normal text-ink2">
              {t('Pair')}
            </th>
            {columns.map((name) => (
              <th key={name} scope="col" className="py-2 pl-2 font-normal text-ink2">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-hairline">
          {pools.map((pool) => (
            <PoolRow key={pool.id} pool={pool} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function PoolRow({ pool: { pair, state, real, backtest, gap } }: { pool: RecordedPool }) {
  return (
    <tr>
      <th scope="row" className="py-2 text-left font-semibold">
        {pairText(pair)}
        {state === 'empty' && (
          <span className="block font-normal text-ink2">{t('No bot uses it now')}</span>
        )}
      </th>
      {state === 'never' ? (
        <td colSpan={3} className="py-2 pl-2 text-ink2">
          {t('No bot with this strategy yet')}
        </td>
      ) : (
        <>
          <td className="py-2 pl-2">
            <Change percent={real} />
          </td>
          <td className="py-2 pl-2">
            {backtest === null ? t('None') : <Change percent={backtest} />}
          </td>
          <td className="py-2 pl-2 whitespace-nowrap">{gap ? bpsText(gap.total) : t('None')}</td>
        </>
      )}
    </tr>
  )
}

/** Draws both lines as markup, so that no script is needed. */
function RecordChart({ record, cash }: { record: RecordedStrategy; cash: RecordedCash }) {
  const time = useMarketTime()
  const drawn = useMemo(() => drawnOf(record, cash), [record, cash])
  if (drawn.own.length < 2) return null
  return (
    <div className="-mx-5">
      <ChartFrame scale={drawn.scale} time={time} ticks={drawn.ticks}>
        <div role="img" aria-label={chartSentence(record)} className="absolute inset-0">
          <GrowthLines {...drawn} />
        </div>
      </ChartFrame>
    </div>
  )
}

function drawnOf({ curve }: RecordedStrategy, cash: RecordedCash) {
  return growthOf({
    own: curve.map(({ at, real }) => ({ at, value: real })),
    other: curve.flatMap(({ at, backtest }) => (backtest === null ? [] : { at, value: backtest })),
    cash: cash.map(({ at, percent }) => ({ at, value: percent })),
  })
}
