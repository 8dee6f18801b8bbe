import {
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
  type ReactNode,
  type RefObject,
} from 'react'
import { createPortal } from 'react-dom'
import { useKeyboardHeight } from '#app/ui/device/keyboard.ts'
import { focusAround } from './focus-around.ts'
import { enterOverlay } from './overlay-history.ts'
import { ToastOutlet } from './toast-outlet.tsx'

type Props = {
  open: boolean
  onClose: () => void
  /** Default: 'dialog'. */
  role?: 'alertdialog'
  labelledBy: string
  describedBy?: string | undefined
  isFirm?: boolean
  panelClass: string
  children: ReactNode
}

/**
 * The browser's dialog keeps the focus inside, makes the rest of the page inert, and returns the
 * focus. Removed once its closing transition has ended. The element with `data-first-focus` is
 * focused first.
 */
export function Modal({ open, ...rest }: Props) {
  const [isThere, setIsThere] = useState(open)
  if (open && !isThere) setIsThere(true)
  // The server has no body into which to put a dialog.
  if (typeof document === 'undefined') return null
  return isThere
    ? createPortal(<Shown {...rest} open={open} onGone={() => setIsThere(false)} />, document.body)
    : null
}

function Shown({
  open,
  onClose,
  onGone,
  role,
  labelledBy,
  describedBy,
  isFirm = false,
  panelClass,
  children,
}: Props & { onGone: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const keyboardHeight = useKeyboardHeight()
  useOpen({ dialog, open, isFirm, onClose })
  useRemovalOnceClosed({ dialog, open, onGone })
  return (
    <dialog
      ref={dialog}
      role={role}
      aria-labelledby={labelledBy}
      aria-describedby={describedBy}
      style={{ bottom: keyboardHeight }}
      className="modal"
    >
      <div
        role="none"
        tabIndex={-1}
        // React events bubble through portals; a form in the dialog must not submit the form that
        // opened it.
        onSubmit={(event) => event.stopPropagation()}
        className={`flex flex-col bg-surface text-ink outline-none ${panelClass}`}
      >
        {children}
        {open && <ToastOutlet inPanel />}
      </div>
    </dialog>
  )
}

type Opening = {
  dialog: RefObject<HTMLDialogElement | null>
  open: boolean
  isFirm: boolean
  onClose: () => void
}

function useOpen({ dialog, open, isFirm, onClose }: Opening): void {
  const close = useEffectEvent(onClose)
  useLayoutEffect(() => {
    const element = dialog.current
    if (!element || !open) return undefined
    element.showModal()
    element.querySelector<HTMLElement>('[data-first-focus]')?.focus()
    const ignore = onDismissal(element, { isFirm, dismiss: () => close() })
    const leave = enterOverlay({ close: () => close() })
    return () => {
      ignore()
      leave()
      element.close()
      // The browser returns the focus. If the element that had it was removed, the focus is on the
      // body or still in this dialog.
      if (document.activeElement === document.body || element.contains(document.activeElement))
        focusAround()
    }
  }, [dialog, open, isFirm])
}

/**
 * Calls `dismiss` on Escape and on a press beside the panel, unless the press began inside it, as
 * when text is selected.
 */
function onDismissal(
  dialog: HTMLDialogElement,
  { isFirm, dismiss }: { isFirm: boolean; dismiss: () => void },
): () => void {
  const listening = new AbortController()
  const listen = (name: string, act: (event: Event) => void) =>
    dialog.addEventListener(name, (event) => event.target === dialog && act(event), {
      signal: listening.signal,
    })
  let pressed: EventTarget | null = null
  dialog.addEventListener('pointerdown', ({ target }) => (pressed = target), {
    signal: listening.signal,
  })
  listen('click', () => !isFirm && pressed === dialog && dismiss())
  listen('cancel', (event) => {
    event.preventDefault()
    dismiss()
  })
  // Needed because browsers close the dialog themselves on a second request in a row.
  listen('close', dismiss)
  return () => listening.abort()
}

function useRemovalOnceClosed({
  dialog,
  open,
  onGone,
}: Pick<Opening, 'dialog' | 'open'> & { onGone: () => void }): void {
  const remove = useEffectEvent(onGone)
  useEffect(() => {
    if (open || !dialog.current) return undefined
    let isCurrent = true
    const moving = dialog.current.getAnimations({ subtree: true }).map(({ finished }) => finished)
    void Promise.allSettled(moving).then(() => isCurrent && remove())
    return () => {
      isCurrent = false
    }
  }, [dialog, open])
}
