import type { ComponentProps } from 'react'

type Props = ComponentProps<'button'> & {
  look?: ButtonLook
  /** Disables the button while its action runs. */
  pending?: boolean
  /** The text while pending; without it the text stays. */
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

export type ButtonLook = 'primary' | 'outline' | 'danger' | 'quiet' | 'quiet-danger'

const LOOKS: Record<ButtonLook, string> = {
  primary: 'px-5 text-17 bg-accent text-on-accent',
  outline: 'px-5 text-17 border-[1.5px] border-ink text-ink',
  danger: 'px-5 text-17 border-[1.5px] border-loss text-loss',
  quiet: 'px-2 text-16 shrink-0 text-accent',
  'quiet-danger': 'px-2 text-16 shrink-0 text-loss',
}

/** The shape that buttons and links styled as buttons share: at least 52 px tall, with a press animation of 120 ms. */
export function buttonStyle(look: ButtonLook): string {
  return `inline-flex min-h-13 items-center justify-center gap-2 rounded-control py-2 text-center font-semibold select-none
    transition-[transform,opacity] duration-120 active:scale-[0.98] disabled:active:scale-100 disabled:opacity-60
    aria-disabled:opacity-60 ${LOOKS[look]}`
}
