import { useId, useRef, useState, type ReactNode, type ToggleEvent } from 'react'
import { IconButton } from '#app/ui/buttons/icon-button.tsx'
import type { Icon } from '#app/ui/frame/drawn-icon.ts'
import { Ellipsis } from '#app/ui/frame/icons.ts'
import { Tooltip } from './tooltip.tsx'

export type MenuAction = {
  icon: Icon
  text: string
  /** The accessible name: the text, and what it acts on. */
  label: string
  /** A second line. It also says why the action is disabled. */
  note?: string | undefined
  disabled?: boolean
  /** Element id of a reason that several actions share. */
  describedBy?: string | undefined
  tone?: 'danger'
  act: () => void
}

/**
 * A sheet of actions on phones; from 768 px, where the browser can anchor it, a menu at its button.
 */
const PANEL = `fixed z-50 inset-x-0 top-auto bottom-0 m-0 max-h-[86dvh] w-full max-w-none overflow-y-auto rounded-t-sheet border-0 bg-surface px-3 pt-4
  pb-[calc(env(safe-area-inset-bottom)+1rem)] text-ink backdrop:bg-veil md:inset-x-0 md:mx-auto md:max-w-80 md:pb-3
  md:supports-[position-area:bottom]:inset-auto md:supports-[position-area:bottom]:[position-area:bottom_span-left]
  md:supports-[position-area:bottom]:[position-try-fallbacks:flip-block,left_span-all] md:supports-[position-area:bottom]:rounded-control
  md:supports-[position-area:bottom]:border md:supports-[position-area:bottom]:border-hairline
  md:supports-[position-area:bottom]:backdrop:bg-transparent`

/**
 * The actions on one thing, behind one button. A popover of the browser: Escape, a press elsewhere
 * and the phone's Back close it.
 */
export function ActionMenu({
  label,
  title,
  actions,
  children,
}: {
  label: string
  title: string
  actions: readonly MenuAction[]
  children?: ReactNode
}) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)
  const onToggle = ({ newState }: ToggleEvent) => {
    if (newState === 'open')
      panel.current?.querySelector<HTMLButtonElement>('button:enabled')?.focus()
    // Not earlier: the browser gives the focus back only if it is still in the popover.
    else setOpen(false)
  }
  const run = (act: () => void) => {
    panel.current?.hidePopover()
    // A dialog that the action opens returns the focus to here.
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
        {/* It covers the row. Its name begins with its text; the note is its description, so it stands outside. */}
        <button
          type="button"
          aria-label={label}
          aria-describedby={describedBy ?? (note === undefined ? undefined : id)}
          disabled={disabled}
          onClick={onPress}
          className={`block text-left text-16 font-medium outline-none after:absolute after:inset-0 after:rounded-control
            focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent ${color}`}
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
