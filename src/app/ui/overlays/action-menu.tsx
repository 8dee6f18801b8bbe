import {
  useEffect,
  useId,
  useRef,
  useState,
  type PointerEvent,
  type ReactNode,
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
  /** A second line; for a disabled action, the reason. */
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

export function ActionMenu({ label, title, actions, children }: ActionMenuProps) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)
  const onToggle = ({ newState }: ToggleEvent) => {
    if (newState === 'open')
      panel.current?.querySelector<HTMLButtonElement>('button:enabled')?.focus()
    // Closed only now, because the browser returns the focus only if it is still in the popover.
    else setOpen(false)
  }
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
          aria-haspopup="dialog"
        />
      </Tooltip>
      <div
        ref={panel}
        id={id}
        popover="auto"
        role="dialog"
        aria-label={label}
        onBeforeToggle={(event) => event.newState === 'open' && setOpen(true)}
        onToggle={onToggle}
        className={PANEL}
      >
        {isOpen && (
          <>
            <p className="truncate px-3 pb-2 text-17 font-semibold md:sr-only">{title}</p>
            {children}
            <ul>
              {actions.map((action) => (
                <Item key={action.text} action={action} onPress={() => run(action.act)} />
              ))}
            </ul>
          </>
        )}
      </div>
    </>
  )
}

function Item({ action, onPress }: { action: MenuAction; onPress: () => void }) {
  const { icon: Icon, text, label, note, disabled = false, describedBy, tone } = action
  const id = useId()
  const color = tone === 'danger' ? 'text-loss' : ''
  return (
    <li
      className={
        'relative flex min-h-13 items-center gap-3 rounded-control px-3 py-2 hover:bg-raised ' +
        'has-disabled:opacity-60'
      }
    >
      <Icon size={22} strokeWidth={1.75} aria-hidden="true" className={`shrink-0 ${color}`} />
      <div>
        {/* Covers the row. The note is its description, so it is outside of the name. */}
        <button
          type="button"
          aria-label={label}
          aria-describedby={describedBy ?? (note === undefined ? undefined : id)}
          disabled={disabled}
          onClick={onPress}
          className={`block text-left text-16 font-medium outline-none after:absolute after:inset-0
            after:rounded-control
            focus-visible:after:outline-2 focus-visible:after:-outline-offset-2
            focus-visible:after:outline-accent ${color}`}
        >
          {text}
        </button>
        {note !== undefined && (
          <p id={id} className="text-14 text-ink2">
            {note}
          </p>
        )}
      </div>
    </li>
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
