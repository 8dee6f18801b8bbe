import { useMemo, useState } from 'react'
import type { Compared, Comparison } from '#contract/comparison.ts'
import { unitsToDecimal } from '#core/money/decimal.ts'
import { t } from '#words/words.ts'
import { HypotheticalMark } from '#app/evidence/hypothetical-mark.tsx'
import { useMarketTime } from '#app/market/market-time.ts'
import { DrawnChart } from '#app/ui/chart-canvas/drawn-chart.tsx'
import type { GrowthData } from '#app/ui/chart-canvas/growth-drawing.ts'
import { MadeWith } from '#app/ui/chart-canvas/made-with.tsx'
import { signalOf, unitsOfSignal } from '#app/ui/chart-canvas/signal.ts'
import { EmptyState } from '#app/ui/frame/empty-state.tsx'
import { Change } from '#app/ui/money/change.tsx'
import { percentText } from '#app/ui/money/money-format.ts'
import { comparisonSentence } from './comparison-text.ts'

const loadDrawing = async () => (await import('#app/ui/chart-canvas/growth-drawing.ts')).drawGrowth

export function ComparisonChart({ comparison }: { comparison: Comparison }) {
  const { bot, other, from } = comparison
  const [index, setIndex] = useState<number>()
  const { dayText, momentText, tickText } = useMarketTime()
  const data = useMemo(() => growthData(bot, other), [bot, other])
  const sentence = comparisonSentence(comparison, momentText(from))
  const last = bot.curve.length - 1
  const place = Math.min(index ?? last, last)
  const [own, beside] = [bot.curve[place], other.curve[place]]
  if (!own || !beside) {
    return (
      <div className="px-5">
        <EmptyState title={sentence} />
      </div>
    )
  }
  const spanMs = Date.parse(comparison.to) - Date.parse(from)
  const ticks = [bot.curve[0], bot.curve[last >> 1], bot.curve[last]].flatMap((point) => (point ? [tickText(point.at, spanMs)] : []))
  return (
    <>
      <div className="px-5">
        <p className="text-16">{sentence}</p>
        <p className="pt-3 text-14 text-ink2">{index === undefined ? t('Until {time}', { time: momentText(own.at) }) : momentText(own.at)}</p>
        <LegendRow side={bot} percent={own.percent} line="border-ink" />
        <LegendRow side={other} percent={beside.percent} line="border-dashed border-accent" />
      </div>
      <DrawnChart
        load={loadDrawing}
        data={data}
        count={bot.curve.length}
        index={index}
        onChoose={setIndex}
        label={`${sentence} ${t('Growth from {day} on.', { day: dayText(from) })}`}
        valueText={`${momentText(own.at)}: ${valueText(bot, own.percent)}, ${valueText(other, beside.percent)}`}
        ticks={ticks}
      />
      <div className="px-5">
        <MadeWith />
      </div>
    </>
  )
}

function LegendRow({ side, percent, line }: { side: Compared; percent: string; line: string }) {
  return (
    <p className="flex min-h-8 flex-wrap items-center gap-x-3 text-16">
      <span aria-hidden="true" className={`w-6 border-t-2 ${line}`} />
      <span className="min-w-0 font-semibold break-words">{side.name}</span>
      {side.hypothetical && <HypotheticalMark />}
      <Change percent={percent} className="ml-auto font-medium" />
    </p>
  )
}

function valueText({ name, hypothetical }: Compared, change: string): string {
  const percent = percentText(change)
  return hypothetical ? t('{name}, hypothetical, {percent}', { name, percent }) : `${name} ${percent}`
}

function growthData(bot: Compared, other: Compared): GrowthData {
  const drawn = ({ curve }: Compared) => curve.map(({ at, percent }) => ({ timeMs: Date.parse(at), value: signalOf(percent) }))
  return { own: drawn(bot), other: drawn(other), scaleText: (value) => percentText(unitsToDecimal(unitsOfSignal(value), 2)) }
}
