import { memo } from 'react'
import { pathOf, scaleOf, stepPathOf, type Curve, type Scale } from './curve.ts'
import { percentTicks } from './percent-ticks.ts'
import type { ValueTick } from './ticks.ts'

/** `cash`: empty if cash earned nothing. */
type Props = { own: Curve; other: Curve; cash: Curve; scale: Scale; ticks: readonly ValueTick[] }

/** The worth at the start, to which the scale's minimum span refers. */
const WHOLE = '100'

export function growthOf(curves: Pick<Props, 'own' | 'other' | 'cash'>): Props {
  const scale = scaleOf([curves.own, curves.other, curves.cash], WHOLE)
  return { ...curves, scale, ticks: percentTicks(scale) }
}

const [WIDTH, HEIGHT] = [1_000, 400]

/**
 * Two lines on one scale from the same start, one solid, one dashed. A dotted line shows cash from
 * the same start.
 */
export const GrowthLines = memo(function GrowthLines({ own, other, cash, scale, ticks }: Props) {
  const box = { scale, width: WIDTH, height: HEIGHT }
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="absolute inset-x-0 inset-y-6 h-[calc(100%-3rem)] w-full overflow-visible"
    >
      <g fill="none" strokeWidth="2" strokeLinejoin="round" strokeLinecap="round">
        {ticks.map(({ y, text }) => (
          <path
            key={text}
            d={`M0 ${y * HEIGHT}H${WIDTH}`}
            className="stroke-hairline forced-colors:stroke-[GrayText]"
            strokeWidth="1"
            vectorEffect="non-scaling-stroke"
          />
        ))}
        <path
          d={stepPathOf(cash.length > 0 ? cash : own.slice(0, 1), box)}
          className="stroke-ink3 forced-colors:stroke-[CanvasText]"
          strokeWidth="1.5"
          strokeDasharray="0.1 5"
          vectorEffect="non-scaling-stroke"
        />
        <path
          d={pathOf(other, box).line}
          className="stroke-accent forced-colors:stroke-[Highlight]"
          strokeDasharray="6 5"
          vectorEffect="non-scaling-stroke"
        />
        <path
          d={pathOf(own, box).line}
          className="stroke-ink forced-colors:stroke-[CanvasText]"
          vectorEffect="non-scaling-stroke"
        />
      </g>
    </svg>
  )
})
