type Props<Value extends string> = {
  label: string
  choices: readonly { text: string; value: Value }[]
  chosen: string
  onChoose: (value: Value) => void
  disabled?: boolean
  hasWords?: boolean
  isLabelShown?: boolean
}

export function ChoiceRow<Value extends string>({
  label,
  choices,
  chosen,
  onChoose,
  disabled = false,
  hasWords = false,
  isLabelShown = false,
}: Props<Value>) {
  const row = (
    <div
      role="group"
      aria-label={label}
      className={
        hasWords
          ? 'grid grid-cols-[repeat(auto-fit,minmax(5.5rem,1fr))] gap-2'
          : 'grid grid-cols-[repeat(auto-fit,minmax(4rem,1fr))] gap-2'
      }
    >
      {choices.map(({ text, value }) => (
        <button
          key={text}
          type="button"
          disabled={disabled}
          aria-pressed={chosen === value}
          onClick={() => onChoose(value)}
          className={
            'min-h-12 rounded-control border border-control px-1 text-16 font-semibold ' +
            'text-ink transition-transform duration-120 active:scale-[0.97] ' +
            'disabled:opacity-50 aria-pressed:border-accent aria-pressed:text-accent ' +
            'aria-pressed:inset-ring aria-pressed:inset-ring-accent'
          }
        >
          {text}
        </button>
      ))}
    </div>
  )
  if (!isLabelShown) return row
  return (
    <div className="flex flex-col gap-1.5">
      <p aria-hidden="true" className="text-14 font-medium">
        {label}
      </p>
      {row}
    </div>
  )
}
