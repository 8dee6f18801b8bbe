import { useRef, useState, type KeyboardEvent, type PointerEvent } from 'react'
import { nearestIndex, type Curve, type Scale } from './curve.ts'

type Scrub = {
  /** Of the selected point; undefined while none is. */
  index: number | undefined
  plot: Record<
    | 'onPointerEnter'
    | 'onPointerDown'
    | 'onPointerMove'
    | 'onPointerUp'
    | 'onPointerLeave'
    | 'onPointerCancel',
    (event: PointerEvent<HTMLElement>) => void
  >
  slider: { onKeyDown: (event: KeyboardEvent) => void; onBlur: () => void }
}

/** Selects a point of a curve by dragging over its plot, or by the arrow keys on its slider. */
export function useScrub(curve: Curve, scale: Scale): Scrub {
  const [index, setIndex] = useState<number>()
  const box = useRef<DOMRect>(undefined)
  const leave = () => setIndex(undefined)
  const measure = (event: PointerEvent<HTMLElement>) => {
    box.current = event.currentTarget.getBoundingClientRect()
  }
  const scrub = (event: PointerEvent<HTMLElement>) => {
    // Measured once for each touch or visit of the mouse: a measurement for each move would lay out
    // the page each time.
    const { left, width } = (box.current ??= event.currentTarget.getBoundingClientRect())
    const next = nearestIndex((event.clientX - left) / width, { curve, scale })
    if (next === index) return
    setIndex(next)
    if (event.pointerType === 'touch' && index !== undefined) tick()
  }
  return {
    index: index === undefined ? undefined : Math.min(index, curve.length - 1),
    plot: {
      onPointerEnter: measure,
      onPointerDown: (event) => {
        measure(event)
        scrub(event)
      },
      onPointerMove: scrub,
      onPointerUp: (event) => event.pointerType !== 'mouse' && leave(),
      onPointerLeave: leave,
      onPointerCancel: leave,
    },
    slider: {
      onKeyDown: (event) => {
        const target = keyTarget(event.key, {
          index: index ?? curve.length - 1,
          length: curve.length,
        })
        if (target === undefined) return
        event.preventDefault()
        setIndex(target)
      },
      onBlur: leave,
    },
  }
}

/** A touch for the finger at each point, on devices that can. */
function tick(): void {
  if ('vibrate' in navigator) navigator.vibrate(3)
}

function keyTarget(
  key: string,
  { index, length }: { index: number; length: number },
): number | undefined {
  const page = Math.max(1, Math.round(length / 10))
  const steps = {
    ArrowLeft: -1,
    ArrowRight: 1,
    ArrowDown: -1,
    ArrowUp: 1,
    PageDown: -page,
    PageUp: page,
    Home: -length,
    End: length,
  }
  const step = Object.entries(steps).find(([name]) => name === key)?.[1]
  return step === undefined ? undefined : Math.max(0, Math.min(length - 1, index + step))
}
