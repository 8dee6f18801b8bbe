import type { ComponentProps, MouseEvent, ReactNode } from 'react'
import type { Icon } from '#app/ui/frame/drawn-icon.ts'
import { Link } from '#app/ui/frame/link.tsx'

export function Button({
  look = 'primary',
  pending = false,
  pendingLabel,
  className = '',
  children,
  onClick,
  ...rest
}: ComponentProps<'button'> & {
  look?: ButtonLook
  /** Disables the button while its action runs, without losing the focus as `disabled` would. */
  pending?: boolean
  pendingLabel?: string
}) {
  return (
    <button
      type="button"
      {...rest}
      {...(pending && { 'aria-disabled': true })}
      aria-busy={pending}
      // Also stops Enter in a field of the form, which presses the button.
      onClick={pending ? swallow : onClick}
      className={`${buttonStyle(look)} ${className}`}
    >
      {pending ? (pendingLabel ?? children) : children}
    </button>
  )
}

function swallow(event: MouseEvent): void {
  event.preventDefault()
}

export type ButtonLook = 'primary' | 'outline' | 'danger' | 'quiet' | 'quiet-danger'

const LOOKS: Record<ButtonLook, string> = {
  primary: 'px-5 text-17 border-transparent bg-accent text-on-accent',
  outline: 'px-5 text-17 border-ink text-ink',
  danger: 'px-5 text-17 border-loss text-loss',
  quiet: 'px-2 text-16 shrink-0 border-transparent text-accent',
  'quiet-danger': 'px-2 text-16 shrink-0 border-transparent text-loss',
}

/**
 * At least 52 px tall, with a press animation of 120 ms. The border shows the button on devices
 * that force their own colors.
 */
export function buttonStyle(look: ButtonLook): string {
  return (
    'inline-flex min-h-13 max-w-full items-center justify-center gap-2 rounded-control ' +
    'border-[1.5px] py-2 text-center font-semibold select-none transition-[transform,opacity] ' +
    'duration-120 active:scale-[0.98] disabled:active:scale-100 disabled:opacity-60 ' +
    'aria-disabled:cursor-default aria-disabled:opacity-60 aria-disabled:active:scale-100 ' +
    LOOKS[look]
  )
}

export function LinkButton({
  href,
  look = 'primary',
  className = '',
  children,
}: {
  href: string
  look?: ButtonLook
  className?: string
  children: ReactNode
}) {
  return (
    <Link href={href} className={`${buttonStyle(look)} ${className}`}>
      {children}
    </Link>
  )
}

/** A 24 px icon in a 48 px touch target, whatever the text size. `label`: its accessible name. */
export function IconButton({
  icon: Icon,
  label,
  className = '',
  ...rest
}: Omit<ComponentProps<'button'>, 'aria-label'> & { icon: Icon; label: string }) {
  return (
    <button
      type="button"
      {...rest}
      aria-label={label}
      className={`grid size-[48px] shrink-0 place-items-center rounded-control text-ink2
        transition-[transform,background-color] duration-120
        hover:bg-raised active:scale-95 disabled:opacity-50 disabled:hover:bg-transparent
        ${className}`}
    >
      <Icon size={24} strokeWidth={1.75} aria-hidden="true" />
    </button>
  )
}
