import { useEffect, useEffectEvent, useRef } from 'react'
import { t } from '#words/words.ts'
import { IconButton } from '#app/ui/buttons/button.tsx'
import { X } from '#app/ui/frame/later-icons.ts'
import { CONTENT } from '#app/ui/frame/screen-frame.tsx'
import { WholeAmounts } from '#app/ui/frame/whole-amounts.tsx'
import { dismissToast, holdToast, runToast, type Toast } from './toast.ts'

export type ToasterProps = { toast: Toast; inPanel: boolean }

/**
 * A toast appears at the lower edge of a dialog's panel, above the tabs of a phone, or in the lower
 * right corner, so that it covers neither the title nor the back arrow.
 */
const IN_PANEL = 'px-3 pb-[calc(env(safe-area-inset-bottom)+0.75rem)]'
const ON_SCREEN = `pointer-events-none fixed right-0
  bottom-[calc(var(--tabs)+var(--foot)+min(var(--bar),50dvh)+0.75rem)] left-0 z-60 px-3
  sm:left-auto sm:w-full sm:max-w-[calc(420px+1.5rem)]`

/**
 * Closes after five seconds. Swiping right dismisses the toast, F8 focuses it, and Escape dismisses
 * it if no dialog handles the key.
 */
export function Toaster({ toast, inPanel }: ToasterProps) {
  const list = useRef<HTMLOListElement>(null)
  useKeys({ F8: () => list.current?.focus(), Escape: () => inPanel || dismissToast(toast.id) })
  return (
    <section
      aria-label={t('Notifications (F8)')}
      className={inPanel ? (toast.open ? IN_PANEL : '') : ON_SCREEN}
    >
      <ol ref={list} tabIndex={-1} className="outline-none">
        {toast.open && <Card key={toast.id} toast={toast} inPanel={inPanel} />}
      </ol>
    </section>
  )
}

function Card({ toast: { id, title, description, tone }, inPanel }: ToasterProps) {
  const card = useRef<HTMLLIElement>(null)
  const destructive = tone === 'destructive'
  useEffect(() => runToast(id), [id])
  useEffect(() => {
    if (!card.current) return undefined
    const stops = [
      followSwipe(card.current, () => dismissToast(id)),
      holdWhileUsed(card.current, id),
    ]
    return () => stops.forEach((stop) => stop())
  }, [id])
  // Not in a dialog's panel, where the toast is below the scrolling part and covers nothing.
  useEffect(
    () => (destructive && !inPanel && card.current ? clearReasons(card.current) : undefined),
    [destructive, inPanel],
  )
  return (
    <li
      ref={card}
      className={`pointer-events-auto flex touch-pan-y items-start gap-2 rounded-control
        border-[1.5px] bg-surface py-2 pr-1 pl-4 text-ink
        select-none motion-safe:animate-pop ${destructive ? 'border-loss' : 'border-ink'}`}
    >
      <div role={destructive ? 'alert' : undefined} className="min-w-0 flex-1 py-1.5">
        <p className={`text-16 font-semibold ${destructive ? 'text-loss' : ''}`}>{title}</p>
        {description && (
          <p className="text-14 text-ink2">
            <WholeAmounts text={description} />
          </p>
        )}
      </div>
      <IconButton icon={X} label={t('Dismiss')} onClick={() => dismissToast(id)} />
    </li>
  )
}

/** Pauses the toast's timer while the toast has the pointer or the focus. */
function holdWhileUsed(card: HTMLElement, id: number): () => void {
  const listening = new AbortController()
  for (const name of ['pointerenter', 'focusin'])
    card.addEventListener(name, holdToast, { signal: listening.signal })
  for (const name of ['pointerleave', 'focusout'])
    card.addEventListener(name, () => runToast(id), { signal: listening.signal })
  return () => listening.abort()
}

function useKeys(keys: Record<string, () => void>): void {
  const press = useEffectEvent((key: string) => keys[key]?.())
  useEffect(() => {
    const onKeyDown = ({ key }: KeyboardEvent) => press(key)
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}

const SWIPE_PX = 50
/** A shorter movement is a tap. */
const TAP_PX = 8

/**
 * Moves `element` to the right with a finger or a mouse, and calls `onSwipe` if it is released
 * beyond 50 px. Returns a stop function.
 */
function followSwipe(element: HTMLElement, onSwipe: () => void): () => void {
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

const GAP_PX = 12

/**
 * Scrolls until the toast covers no error message. A screen that cannot scroll further gets extra
 * space at its end until the user leaves it. Returns a function that cancels the scrolling.
 */
function clearReasons(toast: HTMLElement): () => void {
  // Waits for the second frame, when the screen shows its messages and the bar below the toast has
  // been measured.
  let frame = requestAnimationFrame(() => {
    frame = requestAnimationFrame(() => scrollClear(toast))
  })
  return () => cancelAnimationFrame(frame)
}

function scrollClear(toast: HTMLElement): void {
  const screen = document.getElementById(CONTENT)
  const over = toast.getBoundingClientRect()
  const reasons = [...(screen?.querySelectorAll('[role=alert], [role=status]') ?? [])].map(
    (reason) => reason.getBoundingClientRect(),
  )
  const covered = reasons.filter(
    ({ height, right, top, bottom }) =>
      height > 0 && right > over.left && top < over.bottom && bottom + GAP_PX > over.top,
  )
  const missing = Math.max(0, ...covered.map(({ bottom }) => bottom + GAP_PX - over.top))
  if (!screen || missing === 0) return
  const { scrollHeight, clientHeight, scrollTop } = document.documentElement
  const room = scrollHeight - clientHeight - scrollTop
  // A previous toast may have added space already.
  const made = Number.parseInt(screen.style.marginBottom, 10) || 0
  if (room < missing) screen.style.marginBottom = `${made + Math.ceil(missing - room)}px`
  window.scrollBy({ top: missing, behavior: 'instant' })
}
