import type { ComponentProps } from 'react'
import { buttonStyle, type ButtonLook } from './button-style.ts'

type Props = ComponentProps<'button'> & {
  look?: ButtonLook
  /** While true the button cannot be pressed again, and says so. */
  pending?: boolean
  pendingLabel?: string
}

export function Button({ look = 'primary', pending = false, pendingLabel, className = '', children, disabled, ...rest }: Props) {
  return (
    <button
      type="button"
      {...rest}
      disabled={disabled === true || pending}
      aria-busy={pending}
      className={`${buttonStyle(look)} ${className}`}
    >
      {pending ? (pendingLabel ?? children) : children}
    </button>
  )
}
