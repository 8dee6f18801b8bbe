import { useId, type ReactNode } from 'react'
import { t } from '#words/words.ts'

/** Attributes that tie a control to its label, hint and error. */
type FieldWiring = { id: string; 'aria-describedby': string | undefined; 'aria-invalid': boolean }

export function Field({
  label,
  hint,
  error,
  optional = false,
  children,
}: {
  label: string
  hint?: ReactNode
  error?: string | undefined
  optional?: boolean
  children: (wiring: FieldWiring) => ReactNode
}) {
  const id = useId()
  const described = [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ')
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-14 font-medium text-ink">
        {label}
        {optional && <span className="font-normal text-ink2"> {t('(optional)')}</span>}
      </label>
      {children({ id, 'aria-describedby': described || undefined, 'aria-invalid': Boolean(error) })}
      {hint && (
        <p id={`${id}-hint`} className="text-14 text-ink2">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} role="alert" className="text-14 font-medium text-loss">
          {error}
        </p>
      )}
    </div>
  )
}

/**
 * All text controls: at least 52 px tall, 16 px type because iOS zooms into anything smaller, a
 * border with 3:1 contrast.
 */
export const INPUT_STYLE =
  'block min-h-13 w-full min-w-0 rounded-control border border-control bg-surface px-4 ' +
  'text-16 text-ink placeholder:text-ink3 ' +
  'focus-visible:outline-2 focus-visible:outline-offset-0 aria-invalid:border-loss'
