import type { ReactNode } from 'react'
import { Link } from '#app/ui/frame/link.tsx'
import { buttonStyle, type ButtonLook } from './button.tsx'

type Props = { href: string; look?: ButtonLook; className?: string; children: ReactNode }

/** A link to another screen, styled as a button. */
export function LinkButton({ href, look = 'primary', className = '', children }: Props) {
  return (
    <Link href={href} className={`${buttonStyle(look)} ${className}`}>
      {children}
    </Link>
  )
}
