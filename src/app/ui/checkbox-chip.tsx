import { Check } from 'lucide-react'

type Props = { name: string; value: string; checked: boolean; onToggle: () => void; text: string }

export function CheckboxChip({ name, value, checked, onToggle, text }: Props) {
  return (
    <label
      className="inline-flex min-h-12 items-center justify-center gap-1.5 rounded-control border border-control bg-surface px-3 text-14
        font-medium text-ink has-checked:border-accent has-checked:text-accent has-checked:inset-ring has-checked:inset-ring-accent
        has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
    >
      <input type="checkbox" name={name} value={value} checked={checked} onChange={onToggle} className="sr-only" />
      {checked && <Check size={16} strokeWidth={2.5} aria-hidden="true" className="shrink-0" />}
      {text}
    </label>
  )
}
