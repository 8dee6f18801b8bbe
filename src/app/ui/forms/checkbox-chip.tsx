import { Check } from 'lucide-react'

type Props = { name: string; value: string; checked: boolean; disabled?: boolean; onToggle: () => void; text: string }

export function CheckboxChip({ name, value, checked, disabled = false, onToggle, text }: Props) {
  return (
    <label
      className="inline-flex min-h-12 items-center justify-center gap-1.5 rounded-control border border-control bg-surface px-3 text-14
        font-medium text-ink has-checked:border-accent has-checked:text-accent has-checked:inset-ring has-checked:inset-ring-accent
        has-disabled:border-dashed has-disabled:bg-transparent has-disabled:text-ink2 has-disabled:line-through
        has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
    >
      <input type="checkbox" name={name} value={value} checked={checked} disabled={disabled} onChange={onToggle} className="sr-only" />
      {checked && <Check size={16} strokeWidth={2.5} aria-hidden="true" className="shrink-0" />}
      {text}
    </label>
  )
}
