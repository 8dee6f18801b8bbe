const SWIPE_PX = 50
/** A press that moves less is a tap. */
const TAP_PX = 8

/**
 * Moves `element` with a finger or a mouse that pulls it to the right, and calls `onSwipe` if it is
 * let go beyond 50 px. Returns a stop function.
 */
export function followSwipe(element: HTMLElement, onSwipe: () => void): () => void {
  const listening = new AbortController()
  const listen = (
    name: 'pointerdown' | 'pointermove' | 'pointerup' | 'pointercancel',
    act: (event: PointerEvent) => void,
  ) => element.addEventListener(name, act, { signal: listening.signal })
  let fromX: number | undefined
  let pulledPx = 0
  const pull = (px: number) => {
    pulledPx = Math.max(0, px)
    element.style.transform = pulledPx > 0 ? `translateX(${pulledPx}px)` : ''
  }
  const release = () => {
    fromX = undefined
    pull(0)
  }
  listen('pointerdown', ({ clientX }) => {
    fromX = clientX
  })
  listen('pointermove', ({ clientX, pointerId }) => {
    if (fromX === undefined || (pulledPx === 0 && clientX - fromX < TAP_PX)) return
    element.setPointerCapture(pointerId)
    pull(clientX - fromX)
  })
  listen('pointerup', () => {
    if (pulledPx > SWIPE_PX) onSwipe()
    release()
  })
  listen('pointercancel', release)
  return () => listening.abort()
}
