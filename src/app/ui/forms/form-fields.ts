import { LENGTHS } from '#core/auth/credentials.ts'
import { tidyName } from '#core/one-line.ts'
import { t } from '#words/words.ts'

/** Recommends a longer password than the rules require. */
export function newPasswordHint(): string {
  return t('At least {count} characters. We suggest 12 or more.', {
    count: LENGTHS.password.minimum,
  })
}

export type FieldErrors<Field extends string> = Partial<Record<Field, string>>

/** In a password, every blank counts. */
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

/** `errors` without that of the field being corrected. */
export function without<Errors extends object>(errors: Errors, field: EventTarget): Errors {
  const name = field instanceof HTMLInputElement ? field.name : ''
  return name in errors ? ({ ...errors, [name]: undefined } satisfies Errors) : errors
}
