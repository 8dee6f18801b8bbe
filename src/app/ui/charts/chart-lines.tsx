import { Money } from '#app/ui/money/money.tsx'
import { extremesOf, pathOf, positionOf, type CurveValue, type Scale } from './curve.ts'

type Props = { curve: readonly CurveValue[]; beside: readonly CurveValue[] | undefined; scale: Scale; chosen: CurveValue | undefined }

const WIDTH = 1_000
const HEIGHT = 400

/** The drawing: a dotted baseline at the first value, the curve, and labels at its highest and lowest value. */
export function ChartLines({ curve, beside, scale, chosen }: Props) {
  const first = curve[0]
  if (!first) return null
  const box = { scale, width: WIDTH, height: HEIGHT }
  const baseline = positionOf(first, scale).y
  return (
    <div aria-hidden="true" className="absolute inset-x-0 inset-y-6">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" className="block size-full overflow-visible">
        <g fill="none" strokeLinejoin="round" strokeLinecap="round">
          <Line path={`M0 ${baseline * HEIGHT}H${WIDTH}`} className="stroke-ink3" width={1.25} dashes="0.1 6" />
          {beside && <Line path={pathOf(beside, box)} className="stroke-ink3" width={1.5} dashes="4 4" />}
          <Line path={pathOf(curve, box)} className="stroke-ink" width={2} />
        </g>
      </svg>
      {!chosen && <Extremes curve={curve} scale={scale} />}
      {chosen && <Marker {...positionOf(chosen, scale)} />}
    </div>
  )
}

function Line({ path, className, width, dashes }: { path: string; className: string; width: number; dashes?: string }) {
  return <path d={path} className={className} strokeWidth={width} strokeDasharray={dashes} vectorEffect="non-scaling-stroke" />
}

function Marker({ x, y }: { x: number; y: number }) {
  return (
    <>
      <span className="absolute -inset-y-6 w-px bg-ink3" style={{ left: `${x * 100}%` }} />
      <span
        className="absolute size-3 -translate-x-1/2 -translate-y-1/2 rounded-full border-2 border-paper bg-accent"
        style={{ left: `${x * 100}%`, top: `${y * 100}%` }}
      />
    </>
  )
}

function Extremes({ curve, scale }: { curve: readonly CurveValue[]; scale: Scale }) {
  const extremes = extremesOf(curve)
  if (!extremes || extremes.lowest.value === extremes.highest.value) return null
  return (
    <>
      <Extreme value={extremes.highest} scale={scale} place="-mt-5" />
      <Extreme value={extremes.lowest} scale={scale} place="mt-1" />
    </>
  )
}

function Extreme({ value, scale, place }: { value: CurveValue; scale: Scale; place: string }) {
  const { x, y } = positionOf(value, scale)
  const shift = x < 0.2 ? 'pl-5' : x > 0.8 ? '-translate-x-full pr-5' : '-translate-x-1/2'
  const left = x < 0.2 ? 0 : x > 0.8 ? 1 : x
  return (
    <span className={`absolute text-12 text-ink2 ${place} ${shift}`} style={{ left: `${left * 100}%`, top: `${y * 100}%` }}>
      {/* The background keeps the label readable over the other curve. */}
      <Money amount={value.value} className="bg-paper" />
    </span>
  )
}
