import type { ReactNode } from 'react'
import { Link } from '#app/ui/frame/link.tsx'
import { buttonStyle, type ButtonLook } from './button.tsx'

/** A link to another screen, styled as a button. */
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
