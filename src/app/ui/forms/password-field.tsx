import { useState, type ComponentProps } from 'react'
import { t } from '#words/words.ts'
import { Field, INPUT_STYLE } from './field.tsx'

export function PasswordField({
  label,
  hint,
  error,
  ...rest
}: Omit<ComponentProps<'input'>, 'id' | 'type'> & {
  label: string
  hint?: string
  error?: string | undefined
}) {
  const [shown, setShown] = useState(false)
  return (
    <Field label={label} hint={hint} error={error}>
      {(wiring) => (
        <div className="relative">
          <input
            {...rest}
            {...wiring}
            type={shown ? 'text' : 'password'}
            autoCapitalize="none"
            spellCheck={false}
            className={`${INPUT_STYLE} pr-20`}
          />
          <button
            type="button"
            aria-pressed={shown}
            aria-label={t('Show password')}
            onClick={() => setShown(!shown)}
            className={
              'absolute inset-y-0 right-0 min-w-16 rounded-control px-4 text-14 ' +
              'font-semibold text-accent'
            }
          >
            {shown ? t('Hide') : t('Show')}
          </button>
        </div>
      )}
    </Field>
  )
}
