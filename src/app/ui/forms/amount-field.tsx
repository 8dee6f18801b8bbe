import type { ReactNode } from 'react'
import { isDollarFirst } from '#words/figures.ts'
import { typedDecimal } from '#words/typed-figures.ts'
import { Field } from './field.tsx'

/**
 * A dollar amount as text: a number input would drop digits, accept '1e9' and change under the
 * scroll wheel.
 */
export function AmountField({
  label,
  value,
  onChange,
  hint,
  error,
  name = 'amount',
}: {
  label: string
  value: string
  onChange: (typed: string) => void
  hint?: ReactNode
  error?: string | undefined
  name?: string
}) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(wiring) => (
        <div
          className="flex min-h-16 items-center rounded-control border border-control bg-surface px-4 has-focus-visible:outline-2
            has-focus-visible:outline-accent has-aria-invalid:border-loss"
        >
          <span
            aria-hidden="true"
            className={`text-28 font-semibold text-ink2 ${isDollarFirst() ? '' : 'order-last'}`}
          >
            $
          </span>
          <input
            {...wiring}
            type="text"
            name={name}
            inputMode="decimal"
            autoComplete="off"
            placeholder={typedDecimal('0.00')}
            value={value}
            onChange={(event) => onChange(event.target.value)}
            className={
              'min-h-16 w-full min-w-0 bg-transparent pl-1 text-28 font-semibold text-ink ' +
              'outline-none placeholder:text-ink3'
            }
          />
        </div>
      )}
    </Field>
  )
}
