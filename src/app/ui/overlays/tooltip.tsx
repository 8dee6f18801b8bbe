import { useEffect, useRef, useState, type PointerEvent, type ReactNode } from 'react'
import { steadyMs } from '#app/ui/device/clock.ts'

const OPEN_DELAY_MS = 700
const SKIP_DELAY_MS = 300

/** The lower right corner of the control, in pixels of the page's view. */
type Corner = { top: number; left: number }

/** When the last tooltip closed. For 300 ms after it, the next opens without the delay. */
let closedAtMs = Number.NEGATIVE_INFINITY

/** Names an icon on hover. Touch and screen reader users get the name from the control's label. */
export function Tooltip({ text, children }: { text: string; children: ReactNode }) {
  const around = useRef<HTMLSpanElement>(null)
  const opening = useRef<ReturnType<typeof setTimeout>>(undefined)
  const [corner, setCorner] = useState<Corner>()
  const open = () => setCorner(cornerOf(around.current?.firstElementChild))
  const openSoon = ({ pointerType }: PointerEvent) => {
    if (pointerType === 'touch') return
    if (steadyMs() - closedAtMs < SKIP_DELAY_MS) open()
    else opening.current = setTimeout(open, OPEN_DELAY_MS)
  }
  const close = () => {
    clearTimeout(opening.current)
    if (corner) closedAtMs = steadyMs()
    setCorner(undefined)
  }
  useEffect(() => () => clearTimeout(opening.current), [])
  return (
    <span
      ref={around}
      className="contents"
      onPointerEnter={openSoon}
      onPointerLeave={close}
      onPointerDown={close}
      onFocus={({ target }) => target.matches(':focus-visible') && open()}
      onBlur={close}
    >
      {children}
      {corner && <Tip text={text} corner={corner} onClose={close} />}
    </span>
  )
}

/** Its padding reaches up to the control, so that the pointer can move onto the text. */
function Tip({ text, corner, onClose }: { text: string; corner: Corner; onClose: () => void }) {
  useEffect(() => {
    const listening = new AbortController()
    const { signal } = listening
    window.addEventListener('keydown', ({ key }) => key === 'Escape' && onClose(), { signal })
    window.addEventListener('scroll', onClose, { capture: true, passive: true, signal })
    return () => listening.abort()
  })
  return (
    <span
      role="tooltip"
      style={corner}
      className="fixed z-50 w-max max-w-64 -translate-x-full pt-1"
    >
      <span className="block rounded-stamp bg-ink px-2.5 py-1.5 text-14 text-paper">{text}</span>
    </span>
  )
}

function cornerOf(control: Element | null | undefined): Corner | undefined {
  if (!control) return undefined
  const { bottom, right } = control.getBoundingClientRect()
  return { top: bottom, left: right }
}
