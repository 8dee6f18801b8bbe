import { useMemo } from 'react'
import type { RecordedCash, RecordedStrategy } from '#contract/track-record.ts'
import { useMarketTime } from '#app/market/market-time.ts'
import { ChartFrame } from '#app/ui/charts/chart-frame.tsx'
import { scaleOf } from '#app/ui/charts/curve.ts'
import { GrowthLines } from '#app/ui/charts/growth-lines.tsx'
import { percentTicks } from '#app/ui/charts/percent-ticks.ts'
import { chartSentence } from './record-text.ts'

/**
 * The worth at the start, of which growth is a percentage: the scale spans a part of it at least.
 */
const WHOLE = '100'

/** Both lines, drawn in the page itself: they need no script. */
export function RecordChart({ record, cash }: { record: RecordedStrategy; cash: RecordedCash }) {
  const time = useMarketTime()
  const { own, other, kept, scale, ticks } = useMemo(() => drawnOf(record, cash), [record, cash])
  if (own.length < 2) return null
  return (
    <div className="-mx-5">
      <ChartFrame scale={scale} time={time} ticks={ticks}>
        <div role="img" aria-label={chartSentence(record)} className="absolute inset-0">
          <GrowthLines own={own} other={other} cash={kept} scale={scale} ticks={ticks} />
        </div>
      </ChartFrame>
    </div>
  )
}

function drawnOf({ curve }: RecordedStrategy, cash: RecordedCash) {
  const own = curve.map(({ at, real }) => ({ at, value: real }))
  const other = curve.flatMap(({ at, backtest }) =>
    backtest === null ? [] : [{ at, value: backtest }],
  )
  const kept = cash.map(({ at, percent }) => ({ at, value: percent }))
  const scale = scaleOf([own, other, kept], WHOLE)
  return { own, other, kept, scale, ticks: percentTicks(scale) }
}
