import { useMemo } from 'react'
import type { Compared, Comparison } from '#contract/comparison.ts'
import { signOf } from '#core/money/text.ts'
import { msg, say, t } from '#words/words.ts'
import { HypotheticalMark } from '#app/evidence/hypothetical-mark.tsx'
import { useMarketTime } from '#app/market/market-time.ts'
import { ChartFrame } from '#app/ui/charts/chart-frame.tsx'
import { Pointer } from '#app/ui/charts/chart-readout.tsx'
import { positionOf, type CurveValue } from '#app/ui/charts/curve.ts'
import { GrowthLines, growthOf } from '#app/ui/charts/growth-lines.tsx'
import { useScrub } from '#app/ui/charts/use-scrub.ts'
import { EmptyState } from '#app/ui/frame/empty-state.tsx'
import { Change, percentText } from '#app/ui/money/money.tsx'

/**
 * The growth of both sides, drawn as markup, so that it is in the first paint and needs no chart
 * library.
 */
export function ComparisonChart({ comparison }: { comparison: Comparison }) {
  const { bot, other, from } = comparison
  const time = useMarketTime()
  const drawn = useMemo(() => drawnOf(comparison), [comparison])
  const { own, scale, ticks } = drawn
  const { index, plot, slider } = useScrub(own, scale)
  const sentence = comparisonSentence(comparison, time.momentText(from))
  const shown = index ?? own.length - 1
  const [ownPoint, otherPoint] = [own[shown], drawn.other[shown]]
  if (!ownPoint || !otherPoint) return <NothingYet sentence={sentence} />
  const at = time.momentText(ownPoint.at)
  return (
    <>
      <div className="px-5">
        <p className="text-16">{sentence}</p>
        <p className="pt-3 text-14 text-ink2">
          {index === undefined ? t('Until {time}', { time: at }) : at}
        </p>
        <LegendRow side={bot} percent={ownPoint.value} line="border-ink" />
        <LegendRow side={other} percent={otherPoint.value} line="border-dashed border-accent" />
        <LegendRow
          side={{ name: t('As cash') }}
          percent={drawn.cash[shown]?.value ?? '0.00'}
          line="border-dotted border-ink3"
        />
      </div>
      <ChartFrame {...{ scale, time, ticks }} height="h-72 lg:h-96">
        <div className="absolute inset-0 touch-pan-y select-none" {...plot}>
          <GrowthLines {...drawn} />
          {index !== undefined && <Pointer {...positionOf(ownPoint, scale)} />}
          <div
            {...slider({
              label: `${sentence} ${t('Growth from {day} on.', { day: time.dayText(from) })}`,
              valueText: `${at}: ${valueText(bot, ownPoint)}, ${valueText(other, otherPoint)}`,
            })}
          />
        </div>
      </ChartFrame>
    </>
  )
}

function NothingYet({ sentence }: { sentence: string }) {
  return (
    <div className="px-5">
      <EmptyState title={sentence} />
    </div>
  )
}

function drawnOf({ bot, other, cash }: Comparison) {
  const drawn = (curve: Comparison['cash']) =>
    curve.map(({ at, percent }) => ({ at, value: percent }))
  return growthOf({ own: drawn(bot.curve), other: drawn(other.curve), cash: drawn(cash) })
}

function LegendRow({
  side,
  percent,
  line,
}: {
  side: Pick<Compared, 'name'> & Partial<Compared>
  percent: string
  line: string
}) {
  return (
    <p className="flex min-h-8 flex-wrap items-center gap-x-3 text-16">
      <span aria-hidden="true" className={`w-6 border-t-2 ${line}`} />
      <span className="min-w-0 font-semibold break-words">{side.name}</span>
      {side.hypothetical && <HypotheticalMark />}
      <Change percent={percent} className="ml-auto font-medium" />
    </p>
  )
}

function valueText({ name, hypothetical }: Compared, { value }: CurveValue): string {
  const percent = percentText(value)
  return hypothetical
    ? t('{name}, hypothetical, {percent}', { name, percent })
    : `${name} ${percent}`
}

type ComparisonResult = 'gained' | 'lost'

const RESULTS: Record<ComparisonResult, Record<ComparisonResult, string>> = {
  gained: {
    gained: msg('Since {start}, {bot} gained {percent} and {other} gained {otherPercent}.'),
    lost: msg('Since {start}, {bot} gained {percent} and {other} lost {otherPercent}.'),
  },
  lost: {
    gained: msg('Since {start}, {bot} lost {percent} and {other} gained {otherPercent}.'),
    lost: msg('Since {start}, {bot} lost {percent} and {other} lost {otherPercent}.'),
  },
}

const HYPOTHETICAL_RESULTS: Record<ComparisonResult, Record<ComparisonResult, string>> = {
  gained: {
    gained: msg(
      'Since {start}, {bot} gained {percent} and {other} would have gained {otherPercent}.',
    ),
    lost: msg('Since {start}, {bot} gained {percent} and {other} would have lost {otherPercent}.'),
  },
  lost: {
    gained: msg(
      'Since {start}, {bot} lost {percent} and {other} would have gained {otherPercent}.',
    ),
    lost: msg('Since {start}, {bot} lost {percent} and {other} would have lost {otherPercent}.'),
  },
}

export function comparisonSentence({ bot, other }: Comparison, start: string): string {
  if (bot.curve.length === 0)
    return t('There is nothing to compare yet: both need a full hour of market time.')
  const results = other.hypothetical ? HYPOTHETICAL_RESULTS : RESULTS
  return say(results[outcomeOf(bot)][outcomeOf(other)], {
    start,
    bot: bot.name,
    percent: figureOf(bot),
    other: other.name,
    otherPercent: figureOf(other),
  })
}

const outcomeOf = ({ change }: Compared): ComparisonResult =>
  signOf(change) >= 0 ? 'gained' : 'lost'

const figureOf = ({ change }: Compared): string => percentText(change, { sign: 'never' })
