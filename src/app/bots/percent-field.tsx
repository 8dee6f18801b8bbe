import { LEAST_PERCENT, MOST_PERCENT } from '#core/bots/take-out.ts'
import { t } from '#words/words.ts'
import { Field } from '#app/ui/forms/field.tsx'

/**
 * A whole percent as text, styled like an amount. A number input would accept '1e1' and change when
 * scrolled over.
 */
export function PercentField({
  label,
  value,
  onChange,
  error,
}: {
  label: string
  value: string
  onChange: (typed: string) => void
  error?: string | undefined
}) {
  return (
    <Field label={label} error={error}>
      {(wiring) => (
        <div
          className="flex min-h-16 items-center rounded-control border border-control bg-surface px-4 has-focus-visible:outline-2
            has-focus-visible:outline-accent has-aria-invalid:border-loss"
        >
          <input
            {...wiring}
            type="text"
            name="percent"
            inputMode="numeric"
            autoComplete="off"
            placeholder={t('{least} to {most}', { least: LEAST_PERCENT, most: MOST_PERCENT })}
            value={value}
            onChange={(event) => onChange(event.target.value)}
            className={
              'min-h-16 w-full min-w-0 bg-transparent text-28 font-semibold text-ink ' +
              'outline-none placeholder:text-ink3'
            }
          />
          <span aria-hidden="true" className="text-28 font-semibold text-ink2">
            %
          </span>
        </div>
      )}
    </Field>
  )
}
