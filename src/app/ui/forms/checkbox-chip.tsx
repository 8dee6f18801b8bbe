import { useId } from 'react'
import { Check } from '#app/ui/frame/later-icons.ts'

export function CheckboxChip({
  name,
  value,
  checked,
  disabled = false,
  onToggle,
  text,
  detail,
}: {
  name: string
  value: string
  checked: boolean
  disabled?: boolean
  onToggle: () => void
  text: string
  /** A second line, which screen readers announce as the description, not as part of the name. */
  detail?: string
}) {
  const id = useId()
  return (
    <label
      className={
        'relative flex min-h-14 flex-col items-center justify-center rounded-control border ' +
        'border-control bg-surface text-center px-3 py-1.5 text-14 font-medium text-ink ' +
        'has-checked:border-accent has-checked:text-accent has-checked:inset-ring ' +
        'has-checked:inset-ring-accent has-disabled:border-dashed ' +
        'has-disabled:bg-transparent has-disabled:text-ink2 has-disabled:line-through ' +
        'has-focus-visible:outline-2 has-focus-visible:outline-offset-2 ' +
        'has-focus-visible:outline-accent'
      }
    >
      <input
        type="checkbox"
        name={name}
        value={value}
        checked={checked}
        disabled={disabled}
        onChange={onToggle}
        aria-labelledby={`${id}-text`}
        aria-describedby={detail && `${id}-detail`}
        className="sr-only"
      />
      {checked && (
        <Check
          size={16}
          strokeWidth={2.5}
          aria-hidden="true"
          className="absolute top-1.5 right-1.5"
        />
      )}
      <span id={`${id}-text`}>{text}</span>
      {detail && (
        <span id={`${id}-detail`} className="text-12 font-normal text-ink2">
          {detail}
        </span>
      )}
    </label>
  )
}
