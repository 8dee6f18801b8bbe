import { useEffect, useRef, useState, type PointerEvent } from 'react'
import { t } from '#words/words.ts'
import { chartSlider } from '#app/ui/charts/chart-slider.ts'
import { lookOf, watchLook } from './chart-colors.ts'
import type { Drawing } from './drawing.ts'

type Props<Data> = {
  /** Fetches the code that draws. Callers must always pass the same function. */
  load: () => Promise<(box: HTMLElement) => Drawing<Data>>
  /** Callers must pass the same object until the picture changes. */
  data: Data
  count: number
  index: number | undefined
  onChoose: (index: number | undefined) => void
  label: string
  valueText: string
  ticks: readonly string[]
}

/**
 * A chart on a canvas. Dragging and arrow keys choose points. Screen readers get a sentence about
 * the chart, and each point in words.
 */
export function DrawnChart<Data>({
  load,
  data,
  count,
  index,
  onChoose,
  label,
  valueText,
  ticks,
}: Props<Data>) {
  const { box, drawing, hasFailed, scaleWidth } = useDrawing(load, data)
  useEffect(() => drawing?.choose(index), [drawing, data, index])
  const scrub = ({ currentTarget, clientX }: PointerEvent<HTMLDivElement>) =>
    onChoose(drawing?.indexAt(clientX - currentTarget.getBoundingClientRect().left))
  return (
    <div className="pl-5 lg:pr-5">
      <div
        {...chartSlider({ label, valueText, count, index, onChoose })}
        onPointerDown={scrub}
        onPointerMove={scrub}
        onPointerLeave={() => onChoose(undefined)}
        onPointerUp={(event) => event.pointerType !== 'mouse' && onChoose(undefined)}
        onPointerCancel={() => onChoose(undefined)}
        className={
          'relative h-72 touch-pan-y select-none focus-visible:outline-offset-[-2px] lg:h-96'
        }
      >
        {/* Hidden from screen readers, because the library lays out its canvases in a table. */}
        <div ref={box} aria-hidden="true" className="pointer-events-none absolute inset-0" />
        {hasFailed && (
          <p className="p-5 text-16 text-ink2">
            {t('The picture could not be loaded. The table has the same figures.')}
          </p>
        )}
      </div>
      <p
        aria-hidden="true"
        className="flex min-h-5 justify-between gap-2 pt-1 text-12 text-ink2"
        style={{ paddingRight: scaleWidth }}
      >
        {/* Without ticks until the width of the price scale is known, because they would shift. */}
        {scaleWidth > 0 && ticks.map((tick, place) => <span key={`${place}${tick}`}>{tick}</span>)}
      </p>
    </div>
  )
}

/** Divides the work of the library, so that a press in between is not delayed. */
const nextTask = () => new Promise((resolve) => setTimeout(resolve))

function useDrawing<Data>(load: Props<Data>['load'], data: Data) {
  const box = useRef<HTMLDivElement>(null)
  const [drawing, setDrawing] = useState<Drawing<Data>>()
  const [hasFailed, setHasFailed] = useState(false)
  const [scaleWidth, setScaleWidth] = useState(0)
  useEffect(() => {
    const place = box.current
    if (!place) return
    let open: Drawing<Data> | undefined
    let gone = false
    const start = async () => {
      const draw = await load()
      await nextTask()
      if (gone) return
      open = draw(place)
      await nextTask()
      if (!gone) setDrawing(open)
    }
    start().catch((error: unknown) => {
      console.warn('The code of a chart could not be loaded.', error)
      setHasFailed(true)
    })
    return () => {
      gone = true
      open?.remove()
    }
  }, [load])
  useEffect(() => {
    const place = box.current
    if (!place || !drawing) return
    let frame = 0
    const show = () => {
      drawing.show(data, lookOf(place))
      // Measured in the next frame, after the library's layout.
      frame = requestAnimationFrame(() => setScaleWidth(drawing.scaleWidth()))
    }
    show()
    const stopWatching = watchLook(show)
    return () => {
      cancelAnimationFrame(frame)
      stopWatching()
    }
  }, [drawing, data])
  return { box, drawing, hasFailed, scaleWidth }
}
