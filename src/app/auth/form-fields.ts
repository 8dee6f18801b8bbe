import { LENGTHS } from '#core/auth/credentials.ts'
import { t } from '#words/words.ts'

/** Recommends a longer password than the rules require. */
export function newPasswordHint(): string {
  return t('At least {count} characters. We suggest 12 or more.', { count: LENGTHS.password.minimum })
}

export type FieldErrors<Field extends string> = Partial<Record<Field, string>>

/** The values of a form's text fields by name. A missing field is empty. */
export function formFields<Name extends string>(form: HTMLFormElement, names: readonly Name[]): Record<Name, string> {
  const data = new FormData(form)
  const text = (name: string) => {
    const value = data.get(name)
    return typeof value === 'string' ? value : ''
  }
  return Object.fromEntries(names.map((name) => [name, text(name)])) as Record<Name, string>
}

/** Focuses the first field that `errors` names. */
export function focusFirstError(form: HTMLFormElement, errors: object): void {
  const name = Object.keys(errors)[0]
  const field = name === undefined ? null : form.elements.namedItem(name)
  if (field instanceof HTMLElement) field.focus()
}

/** `errors` without that of the field being corrected. */
export function without<Errors extends object>(errors: Errors, field: EventTarget): Errors {
  const name = field instanceof HTMLInputElement ? field.name : ''
  return name in errors ? ({ ...errors, [name]: undefined } satisfies Errors) : errors
}
