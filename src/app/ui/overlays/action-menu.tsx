import {
  useEffect,
  useId,
  useRef,
  useState,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  type RefObject,
  type ToggleEvent,
} from 'react'
import { IconButton } from '#app/ui/buttons/button.tsx'
import { steadyMs } from '#app/ui/device/clock.ts'
import type { Icon } from '#app/ui/frame/drawn-icon.ts'
import { Ellipsis } from '#app/ui/frame/later-icons.ts'

export type MenuAction = {
  icon: Icon
  text: string
  /** The accessible name: the text and the object of the action. */
  label: string
  /** A second line; for a disabled action, its reason. */
  note?: string | undefined
  disabled?: boolean
  /** Element id of a reason that several actions share. */
  describedBy?: string | undefined
  tone?: 'danger'
  act: () => void
}

/**
 * A sheet of actions on phones; from 768 px, if the browser can anchor it, a menu at its button.
 */
const PANEL = `fixed z-50 inset-x-0 top-auto bottom-0 m-0 max-h-[86dvh] w-full max-w-none
  overflow-y-auto rounded-t-sheet border-0 bg-surface px-3 pt-4
  pb-[calc(env(safe-area-inset-bottom)+1rem)] text-ink backdrop:bg-veil md:inset-x-0 md:mx-auto
  md:max-w-80 md:pb-3
  md:supports-[position-area:bottom]:inset-auto
  md:supports-[position-area:bottom]:[position-area:bottom_span-left]
  md:supports-[position-area:bottom]:[position-try-fallbacks:flip-block,left_span-all]
  md:supports-[position-area:bottom]:rounded-control
  md:supports-[position-area:bottom]:border md:supports-[position-area:bottom]:border-hairline
  md:supports-[position-area:bottom]:backdrop:bg-transparent`

type ActionMenuProps = {
  label: string
  title: string
  actions: readonly MenuAction[]
  children?: ReactNode
}

/** The menu button of the ARIA patterns. `children`: the reason that several actions share. */
export function ActionMenu({ label, title, actions, children }: ActionMenuProps) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const { isOpen, openByArrow, toggles } = useOpening(panel)
  const run = (act: () => void) => {
    panel.current?.hidePopover()
    // Focused, so that a dialog opened by the action returns the focus to this button.
    button.current?.focus()
    act()
  }
  return (
    <>
      <Tooltip text={label}>
        <IconButton
          ref={button}
          icon={Ellipsis}
          label={label}
          popoverTarget={id}
          aria-haspopup="menu"
          onKeyDown={openByArrow}
        />
      </Tooltip>
      <div ref={panel} id={id} popover="auto" {...toggles} className={PANEL}>
        {isOpen && (
          <>
            <p className="truncate px-3 pb-2 text-17 font-semibold md:sr-only">{title}</p>
            {children}
            <div role="menu" aria-label={label} onKeyDown={moveFocus}>
              {actions.map((action) => (
                <Item key={action.text} action={action} onPress={() => run(action.act)} />
              ))}
            </div>
          </>
        )}
      </div>
    </>
  )
}

function useOpening(panel: RefObject<HTMLDivElement | null>) {
  const first = useRef(0)
  const [isOpen, setOpen] = useState(false)
  const openByArrow = (event: KeyboardEvent<HTMLButtonElement>) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    if (event.key === 'ArrowUp') first.current = -1
    // A press, because `showPopover` alone would not anchor the menu at the button.
    event.currentTarget.click()
  }
  const onToggle = ({ newState }: ToggleEvent) => {
    if (newState === 'open') itemsIn(panel.current).at(first.current)?.focus()
    // Closed only now, because the browser returns the focus only if it is still in the popover.
    else setOpen(false)
    first.current = 0
  }
  const onBeforeToggle = ({ newState }: ToggleEvent) => newState === 'open' && setOpen(true)
  return { isOpen, openByArrow, toggles: { onBeforeToggle, onToggle } }
}

const itemsIn = (menu: Element | null): HTMLElement[] => [
  ...(menu?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? []),
]

function moveFocus(event: KeyboardEvent<HTMLDivElement>): void {
  const { key, currentTarget: menu } = event
  // The browser returns the focus to the button, from which Tab then moves it on.
  if (key === 'Tab') menu.closest<HTMLElement>('[popover]')?.hidePopover()
  if (event.ctrlKey || event.metaKey || event.altKey) return
  const items = itemsIn(menu)
  const goal = goalOf(key, { items, here: items.findIndex((item) => item.matches(':focus')) })
  if (!goal) return
  event.preventDefault()
  goal.focus()
}

type Place = { items: readonly HTMLElement[]; here: number }

/** A letter leads to the next item that begins with it. */
function goalOf(key: string, { items, here }: Place): HTMLElement | undefined {
  if (key === 'ArrowDown') return items[(here + 1) % items.length]
  if (key === 'ArrowUp') return items.at(here - 1)
  if (key === 'Home') return items[0]
  if (key === 'End') return items.at(-1)
  const letter = key.length === 1 ? key.toLowerCase() : ' '
  const following = [...items.slice(here + 1), ...items.slice(0, here + 1)]
  return following.find((item) => item.textContent.toLowerCase().startsWith(letter))
}

/** A disabled item can have the focus, so that its reason is read. */
function Item({ action, onPress }: { action: MenuAction; onPress: () => void }) {
  const { icon: Icon, text, label, note, disabled = false, describedBy, tone } = action
  const id = useId()
  const reasons = [describedBy, note && id].filter(Boolean).join(' ')
  const look = `group-has-aria-disabled:opacity-60 ${tone === 'danger' ? 'text-loss' : ''}`
  return (
    <div
      role="none"
      className="group relative flex min-h-13 items-center gap-3 rounded-control px-3 py-2
        hover:bg-raised"
    >
      <Icon size={22} strokeWidth={1.75} aria-hidden="true" className={`shrink-0 ${look}`} />
      <span>
        {/* Covers the row. The note is its description, so it is outside of the name. */}
        <button
          type="button"
          role="menuitem"
          tabIndex={-1}
          aria-label={label}
          aria-describedby={reasons || undefined}
          aria-disabled={disabled || undefined}
          onClick={disabled ? undefined : onPress}
          className="block text-left text-16 font-medium outline-none after:absolute after:inset-0
            after:rounded-control focus-visible:after:outline-2
            focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent
            aria-disabled:cursor-default"
        >
          <span className={look}>{text}</span>
        </button>
        {note !== undefined && (
          <span id={id} className="block text-14 text-ink2">
            {note}
          </span>
        )}
      </span>
    </div>
  )
}

const OPEN_DELAY_MS = 700
const SKIP_DELAY_MS = 300

type Corner = { top: number; left: number }

/** When the last tooltip closed. For 300 ms afterwards, the next one opens without delay. */
let closedAtMs = Number.NEGATIVE_INFINITY

/** Names an icon on hover. Touch and screen reader users get the name from the control's label. */
function Tooltip({ text, children }: { text: string; children: ReactNode }) {
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

/** Padded up to the control, so that the pointer can move onto the text. */
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
