import { memo } from 'react'
import { moneyText } from '#words/figures.ts'
import { t } from '#words/words.ts'
import { pathOf, positionOf, stepPathOf, type Curve, type CurveValue, type Scale } from './curve.ts'
import { valueTicks } from './ticks.ts'

/**
 * Coordinates are rounded to whole units to keep the page small; half a unit is less than half a
 * pixel.
 */
const WIDTH = 1_000
const HEIGHT = 400

export const ChartLines = memo(function ChartLines({
  curve,
  baseline = curve.slice(0, 1),
  dashed,
  scale,
  namesStart = true,
}: {
  curve: Curve
  /**
   * A dotted line of steps: the curve without gains and losses. Default: the curve's first value.
   */
  baseline?: Curve | undefined
  dashed: readonly Curve[]
  scale: Scale
  namesStart?: boolean
}) {
  const box = { scale, width: WIDTH, height: HEIGHT }
  const { line, steps } = pathOf(curve, box)
  return (
    <div aria-hidden="true" className="absolute inset-x-0 inset-y-6">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="block size-full overflow-visible"
      >
        <g fill="none" strokeLinejoin="round" strokeLinecap="round">
          {valueTicks(scale).map(({ y, text }) => (
            <Line
              key={text}
              path={`M0 ${y * HEIGHT}H${WIDTH}`}
              className="stroke-hairline forced-colors:stroke-[GrayText]"
              width={1}
            />
          ))}
          <Line path={stepPathOf(baseline, box)} className={QUIET} width={1.5} dashes="0.1 5" />
          {dashed.map((each, index) => (
            <Line
              key={index}
              path={pathOf(each, box).line}
              className={index ? INK : QUIET}
              width={1.5}
              dashes={index ? '8 4' : '4 4'}
            />
          ))}
          {steps !== '' && <Line path={steps} className={QUIET} width={1.5} dashes="1 3" />}
          <Line path={line} className={INK} width={2} />
        </g>
      </svg>
      {namesStart && <Start curve={curve} baseline={baseline} scale={scale} />}
    </div>
  )
})

const INK = 'stroke-ink forced-colors:stroke-[CanvasText]'
const QUIET = 'stroke-ink3 forced-colors:stroke-[CanvasText]'

function Line({
  path,
  className,
  width,
  dashes,
}: {
  path: string
  className: string
  width: number
  dashes?: string
}) {
  return (
    <path
      d={path}
      className={className}
      strokeWidth={width}
      strokeDasharray={dashes}
      vectorEffect="non-scaling-stroke"
    />
  )
}

function Start({ curve, baseline, scale }: { curve: Curve; baseline: Curve; scale: Scale }) {
  const first = baseline[0]
  if (!first) return null
  const { y } = positionOf(first, scale)
  const nearby = curve.map((value) => positionOf(value, scale)).filter(({ x }) => x < 0.4)
  const isAbove = nearby.reduce((sum, place) => sum + place.y, 0) / Math.max(1, nearby.length) < y
  return (
    <span
      className={
        'absolute left-5 md:left-0 bg-paper px-1 text-12 text-ink2 ' +
        (isAbove ? 'mt-1' : '-mt-1 -translate-y-full')
      }
      style={{ top: `${y * 100}%` }}
    >
      {startText(first)}
    </span>
  )
}

function startText({ value }: CurveValue): string {
  return t('{amount} start', {
    amount: moneyText({ amount: value, precision: value.endsWith('.00') ? 'whole' : 'cents' }),
  })
}
