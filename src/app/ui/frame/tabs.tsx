import { useRef, type KeyboardEvent } from 'react'

type Props<Value extends string> = {
  label: string
  options: readonly { value: Value; text: string }[]
  value: Value
  onChange: (value: Value) => void
  panelId: string
}

const TAB_STYLE =
  'group grid min-h-12 min-w-12 flex-auto place-items-center rounded-control text-16 ' +
  'font-semibold text-ink2 transition-transform duration-120 active:scale-95 ' +
  'aria-selected:text-ink'

/** Arrow keys, Home and End move between the tabs; only the selected one is in the tab order. */
export function Tabs<Value extends string>({
  label,
  options,
  value,
  onChange,
  panelId,
}: Props<Value>) {
  const list = useRef<HTMLDivElement>(null)
  const choose = (index: number) => {
    const option = options.at(index % options.length)
    if (!option) return
    onChange(option.value)
    list.current?.querySelectorAll('button')[options.indexOf(option)]?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const here = options.findIndex((option) => option.value === value)
    const target = { ArrowRight: here + 1, ArrowLeft: here - 1, Home: 0, End: -1 }[event.key]
    if (target === undefined) return
    event.preventDefault()
    choose(target)
  }
  return (
    <div
      ref={list}
      role="tablist"
      aria-label={label}
      onKeyDown={onKeyDown}
      className="flex flex-wrap"
    >
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          role="tab"
          aria-selected={option.value === value}
          aria-controls={panelId}
          tabIndex={option.value === value ? 0 : -1}
          onClick={() => onChange(option.value)}
          className={TAB_STYLE}
        >
          <span
            className={
              'rounded-full px-2 py-1.5 whitespace-nowrap group-hover:bg-raised ' +
              'group-aria-selected:bg-ink group-aria-selected:text-paper min-[360px]:px-3'
            }
          >
            {option.text}
          </span>
        </button>
      ))}
    </div>
  )
}
