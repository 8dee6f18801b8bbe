import { useId, type ReactNode } from 'react'

type RadioCardProps = {
  name: string
  value: string
  checked: boolean
  onChoose: () => void
  title: string
  detail?: ReactNode
  note?: ReactNode
}

/**
 * A radio button that is clickable across its whole row. Screen readers announce `note` as its
 * description, not as part of its name, and no text a second time.
 */
export function RadioCard({ name, value, checked, onChoose, title, detail, note }: RadioCardProps) {
  const id = useId()
  const noteId = note === undefined ? undefined : `${id}-note`
  return (
    <label
      className={
        'flex min-h-14 flex-wrap items-center gap-3 rounded-control border border-control ' +
        'bg-surface px-4 py-3 has-checked:border-accent has-checked:inset-ring ' +
        'has-checked:inset-ring-accent has-focus-visible:outline-2 ' +
        'has-focus-visible:outline-offset-2 has-focus-visible:outline-accent'
      }
    >
      <input
        type="radio"
        name={name}
        value={value}
        checked={checked}
        onChange={onChoose}
        aria-labelledby={`${id}-title ${id}-detail`}
        aria-describedby={noteId}
        className="peer sr-only"
      />
      <span
        aria-hidden="true"
        className={
          'size-5 shrink-0 rounded-full border-2 border-control peer-checked:border-[6px] ' +
          'peer-checked:border-accent'
        }
      />
      <span
        aria-hidden="true"
        className={'flex min-w-0 flex-[1_1_11rem] flex-wrap items-baseline justify-between gap-x-3'}
      >
        <span id={`${id}-title`} className="text-16 font-semibold text-ink">
          {title}
        </span>
        <span id={`${id}-detail`} className="text-14 text-ink2">
          {detail}
        </span>
        {note !== undefined && (
          <span id={noteId} className="mt-0.5 w-full text-14 text-ink2">
            {note}
          </span>
        )}
      </span>
    </label>
  )
}
