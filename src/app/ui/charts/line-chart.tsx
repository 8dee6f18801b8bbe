import { useState, type KeyboardEvent, type PointerEvent, type ReactNode } from 'react'
import { moneyText } from '#core/money/text.ts'
import { Money } from '#app/ui/money/money.tsx'
import { ChartLines } from './chart-lines.tsx'
import { curveSentence, nearestIndex, positionOf, scaleOf, type CurveValue, type Scale } from './curve.ts'

/** Prints the times of a chart. */
export type ChartTime = { dayText: (timestamp: string) => string; momentText: (timestamp: string) => string }

type Props = {
  /** The name of the curve, such as 'Total Balance'. */
  name: string
  curve: readonly CurveValue[]
  time: ChartTime
  /** Appended to the screen reader's sentence, such as that deposits move the curve without being gains. */
  note?: string
  /** A second, dashed curve on the same scale. */
  beside?: { name: string; curve: readonly CurveValue[] }
  /** Shown above the curve while no value is selected. */
  children: ReactNode
  tall?: boolean
}

/** A line chart. Dragging or arrow keys select single values; screen readers get the whole curve as one sentence. */
export function LineChart({ name, note, curve, time, beside, children, tall = false }: Props) {
  const [index, setIndex] = useState<number>()
  const { dayText, momentText } = time
  const scale = scaleOf(beside ? [curve, beside.curve] : [curve])
  const chosen = index === undefined ? undefined : curve[Math.min(index, curve.length - 1)]
  const scrub = (event: PointerEvent<HTMLDivElement>) => {
    const box = event.currentTarget.getBoundingClientRect()
    setIndex(nearestIndex((event.clientX - box.left) / box.width, { curve, scale }))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const target = keyTarget(event.key, { index: index ?? curve.length - 1, length: curve.length })
    if (target === undefined) return
    event.preventDefault()
    setIndex(target)
  }
  return (
    <div>
      <div className="flex min-h-6 items-center px-5">
        {chosen ? <Readout name={name} chosen={chosen} scale={scale} time={time} beside={beside} /> : children}
      </div>
      <div
        role="slider"
        tabIndex={0}
        aria-label={[curveSentence(name, curve, dayText), note].filter(Boolean).join(' ')}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, curve.length - 1)}
        aria-valuenow={index ?? Math.max(0, curve.length - 1)}
        aria-valuetext={chosen ? `${momentText(chosen.at)}: ${moneyText({ amount: chosen.value })}` : 'Latest value'}
        onKeyDown={onKeyDown}
        onBlur={() => setIndex(undefined)}
        onPointerDown={scrub}
        onPointerMove={scrub}
        onPointerLeave={() => setIndex(undefined)}
        onPointerUp={(event) => event.pointerType !== 'mouse' && setIndex(undefined)}
        onPointerCancel={() => setIndex(undefined)}
        className={`relative touch-pan-y select-none focus-visible:outline-offset-[-2px] ${tall ? 'h-52' : 'h-44'}`}
      >
        <ChartLines curve={curve} beside={beside?.curve} scale={scale} chosen={chosen} />
      </div>
    </div>
  )
}

type Chosen = { name: string; chosen: CurveValue; scale: Scale; time: ChartTime; beside: Props['beside'] }

function Readout({ name, chosen, scale, time: { momentText }, beside }: Chosen) {
  const other = beside?.curve[nearestIndex(positionOf(chosen, scale).x, { curve: beside.curve, scale })]
  return (
    <p className="flex flex-wrap gap-x-2 text-14 text-ink2">
      <span>{momentText(chosen.at)}</span>
      <Money amount={chosen.value} className="font-semibold text-ink" />
      {other && beside && (
        <span>
          {beside.name} <Money amount={other.value} />
        </span>
      )}
      <span className="sr-only">{name}</span>
    </p>
  )
}

function keyTarget(key: string, { index, length }: { index: number; length: number }): number | undefined {
  const page = Math.max(1, Math.round(length / 10))
  const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowDown: -1, ArrowUp: 1, PageDown: -page, PageUp: page, Home: -length, End: length }
  const step = Object.entries(steps).find(([name]) => name === key)?.[1]
  return step === undefined ? undefined : Math.max(0, Math.min(length - 1, index + step))
}
