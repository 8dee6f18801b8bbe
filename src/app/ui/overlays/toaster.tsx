import { useEffect, useEffectEvent, useRef } from 'react'
import { t } from '#words/words.ts'
import { IconButton } from '#app/ui/buttons/icon-button.tsx'
import { X } from '#app/ui/frame/icons.ts'
import { WholeAmounts } from '#app/ui/frame/whole-amounts.tsx'
import { followSwipe } from './swipe.ts'
import { clearReasons } from './clear-reasons.ts'
import { dismissToast, holdToast, runToast, type Toast } from './toast.ts'

export type ToasterProps = { toast: Toast; inPanel: boolean }

/**
 * At the foot of a dialog's panel, above the tabs of a phone, or in the lower right corner: it
 * covers no title and no way back.
 */
const IN_PANEL = 'px-3 pb-[calc(env(safe-area-inset-bottom)+0.75rem)]'
const ON_SCREEN = `pointer-events-none fixed right-0 bottom-[calc(var(--tabs)+var(--foot)+min(var(--bar),50dvh)+0.75rem)] left-0 z-60 px-3
  sm:left-auto sm:w-full sm:max-w-[calc(420px+1.5rem)]`

/**
 * The toast: closes after five seconds, swiping right dismisses it, F8 moves the focus to it,
 * Escape dismisses it where no dialog takes the key.
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
  // In a dialog's panel it stands below what scrolls, and covers nothing.
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

/** Its time stands still while somebody points at it or has the focus in it. */
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
