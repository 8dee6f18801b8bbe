import { useRef, useState, type ComponentProps, type PointerEvent } from 'react'
import { chartSlider } from './chart-slider.ts'
import { nearestIndex, type Curve, type Scale } from './curve.ts'

type Scrub = {
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
  slider: (
    texts: Pick<Parameters<typeof chartSlider>[0], 'label' | 'valueText'>,
  ) => ComponentProps<'div'>
}

/** Selects a point of a curve by dragging over its plot, or by the arrow keys on its slider. */
export function useScrub(curve: Curve, scale: Scale): Scrub {
  const [chosen, setIndex] = useState<number>()
  const index = chosen === undefined ? undefined : Math.min(chosen, curve.length - 1)
  const box = useRef<DOMRect>(undefined)
  const leave = () => setIndex(undefined)
  const measure = (event: PointerEvent<HTMLElement>) => {
    box.current = event.currentTarget.getBoundingClientRect()
  }
  const scrub = (event: PointerEvent<HTMLElement>) => {
    // Measured once per touch or visit of the mouse, because measuring at each move would force a
    // layout each time.
    const { left, width } = (box.current ??= event.currentTarget.getBoundingClientRect())
    const next = nearestIndex((event.clientX - left) / width, { curve, scale })
    if (next === index) return
    setIndex(next)
    if (event.pointerType === 'touch' && index !== undefined) tick()
  }
  return {
    index,
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
    slider: (texts) => ({
      ...chartSlider({ ...texts, count: curve.length, index, onChoose: setIndex }),
      className: 'absolute inset-0 focus-visible:outline-offset-[-2px]',
    }),
  }
}

/** Vibrates at each point, on devices that support it. */
function tick(): void {
  if ('vibrate' in navigator) navigator.vibrate(3)
}
