import type { ComponentProps } from 'react'
import { Field, INPUT_STYLE } from './field.tsx'

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
