import { useId, useState, type ComponentProps, type ReactNode } from 'react'
import { LENGTHS, passwordStrength } from '#core/auth/credentials.ts'
import { tidyName } from '#core/one-line.ts'
import { isDollarFirst } from '#words/figures.ts'
import { typedDecimal } from '#words/typed-figures.ts'
import { msg, say, t } from '#words/words.ts'

export function focusOn(target: HTMLElement): void {
  target.focus({ preventScroll: true })
  // Keeps the field clear of the bars at the screen's edges.
  target.scrollIntoView({ block: 'center' })
}

export function newPasswordHint(): string {
  return t('At least {count} characters. We suggest 12 or more.', {
    count: LENGTHS.password.minimum,
  })
}

/** Fields whose blanks must not be trimmed. */
const SECRETS = /password$/i

/**
 * The values of a form's text fields by name, without surrounding blanks. A missing field is empty.
 */
export function formFields<Name extends string>(
  form: HTMLFormElement,
  names: readonly Name[],
): Record<Name, string> {
  const data = new FormData(form)
  const text = (name: string) => {
    const value = data.get(name)
    if (typeof value !== 'string') return ''
    return SECRETS.test(name) ? value : tidyName(value)
  }
  return Object.fromEntries(names.map((name) => [name, text(name)])) as Record<Name, string>
}

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
      <FieldError id={`${id}-error`} error={error} />
    </div>
  )
}

export function FieldError({
  id,
  error,
  className = '',
}: {
  id?: string
  error: string | undefined
  className?: string
}) {
  if (!error) return null
  return (
    <p id={id} role="alert" className={`text-14 font-medium text-loss ${className}`}>
      {error}
    </p>
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

export function TextField({
  label,
  hint,
  error,
  optional = false,
  ...rest
}: Omit<ComponentProps<'input'>, 'id' | 'className'> &
  Pick<ComponentProps<typeof Field>, 'label' | 'hint' | 'error' | 'optional'>) {
  return (
    <Field label={label} hint={hint} error={error} optional={optional}>
      {(wiring) => <input type="text" {...rest} {...wiring} className={INPUT_STYLE} />}
    </Field>
  )
}

type FigureProps = {
  label: string
  /** Prints the value as large as a balance, for the most important figure of a screen. */
  isHero?: boolean
  value: string
  onChange: (typed: string) => void
  hint?: ReactNode
  error?: string | undefined
  name?: string
}

/** An amount in dollars. */
export function AmountField({ name = 'amount', ...rest }: FigureProps) {
  return (
    <FigureField
      {...rest}
      name={name}
      unit="$"
      isUnitFirst={isDollarFirst()}
      inputMode="decimal"
      placeholder={typedDecimal('0.00')}
    />
  )
}

/**
 * A figure in large type. A text input, because a number input drops digits, accepts '1e9' and
 * changes under the scroll wheel.
 */
export function FigureField({
  label,
  hint,
  error,
  unit,
  isUnitFirst = false,
  isHero = false,
  onChange,
  ...input
}: FigureProps & {
  unit: string
  isUnitFirst?: boolean
  inputMode: 'decimal' | 'numeric'
  placeholder: string
}) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(wiring) => (
        <div
          className={
            'flex min-h-16 items-center rounded-control border border-control bg-surface ' +
            'px-4 font-semibold has-focus-visible:outline-2 has-focus-visible:outline-accent ' +
            `has-aria-invalid:border-loss ${isHero ? 'text-[min(2.875rem,12vw)]' : 'text-28'}`
          }
        >
          <span aria-hidden="true" className={`text-ink2 ${isUnitFirst ? '' : 'order-last'}`}>
            {unit}
          </span>
          <input
            {...wiring}
            {...input}
            type="text"
            autoComplete="off"
            onChange={(event) => onChange(event.target.value)}
            className={
              'min-h-16 w-full min-w-0 bg-transparent pl-1 text-ink outline-none ' +
              'placeholder:text-ink3'
            }
          />
        </div>
      )}
    </Field>
  )
}

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
            autoCapitalize={shown ? 'none' : undefined}
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

const STRENGTHS = [msg('Weak'), msg('Weak'), msg('Fair'), msg('Good'), msg('Strong')] as const
const BARS = [1, 2, 3, 4] as const
const TONES = ['bg-loss', 'bg-loss', 'bg-warn', 'bg-gain', 'bg-gain'] as const

export function NewPasswordField(props: {
  label: string
  name: string
  hint: string
  error: string | undefined
}) {
  const [strength, setStrength] = useState<0 | 1 | 2 | 3 | 4>(0)
  return (
    <div>
      <PasswordField
        {...props}
        autoComplete="new-password"
        onChange={(event) => setStrength(passwordStrength(event.target.value))}
      />
      <div className="mt-1.5 flex min-h-5 items-center gap-3">
        <span aria-hidden="true" className="flex flex-1 gap-1">
          {BARS.map((bar) => (
            <span
              key={bar}
              className={
                'h-1 flex-1 rounded-full ' + (bar <= strength ? TONES[strength] : 'bg-raised')
              }
            />
          ))}
        </span>
        <span role="status" className="text-14 text-ink2">
          {strength > 0 && t('Strength: {strength}', { strength: say(STRENGTHS[strength]) })}
        </span>
      </div>
    </div>
  )
}
