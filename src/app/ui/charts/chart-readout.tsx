import { differenceOf } from '#app/ui/money/amount-text.ts'
import { Change, Money } from '#app/ui/money/money.tsx'
import {
  heldAt,
  nearestIndex,
  scaleOf,
  type ChartTime,
  type Curve,
  type CurveValue,
} from './curve.ts'

/** The selected point, always in one line, because the chart must not move under the finger. */
export function ChartReadout({
  chosen,
  time,
  baseline,
  beside,
  withValue,
}: {
  chosen: CurveValue
  time: ChartTime
  baseline: Curve | undefined
  beside: { name: string; curve: Curve } | undefined
  withValue: boolean
}) {
  const held = baseline && heldAt(baseline, chosen.at)
  const other = beside && valueAt(beside.curve, chosen.at)
  return (
    <p
      className={
        'absolute inset-0 flex items-center gap-x-2 overflow-hidden px-5 text-14 ' +
        'whitespace-nowrap text-ink2'
      }
    >
      <span>{time.momentText(chosen.at)}</span>
      {withValue && <Money amount={chosen.value} className="font-semibold text-ink" />}
      {held !== undefined && <Change amount={differenceOf(chosen.value, held)} />}
      {beside && other !== undefined && (
        <span className="truncate">
          {beside.name} <Money amount={other} />
        </span>
      )}
    </p>
  )
}

function valueAt(curve: Curve, at: string): string | undefined {
  const scale = scaleOf([curve])
  return curve[nearestIndex((Date.parse(at) - scale.startMs) / scale.spanMs, { curve, scale })]
    ?.value
}

export function Pointer({ x, y }: { x: number; y: number }) {
  const left = `${x * 100}%`
  return (
    <span aria-hidden="true">
      <span className="absolute inset-y-0 border-l border-ink3" style={{ left }} />
      <span className="absolute inset-x-0 inset-y-6">
        <span
          className={
            'absolute size-3 -translate-x-1/2 -translate-y-1/2 rounded-full border-2 ' +
            'border-paper bg-accent forced-colors:bg-[Highlight]'
          }
          style={{ left, top: `${y * 100}%` }}
        />
      </span>
    </span>
  )
}
