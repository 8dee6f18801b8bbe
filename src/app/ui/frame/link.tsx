import type { ComponentProps, MouseEvent } from 'react'
import { useLocation } from './address.ts'

export function Link({
  href,
  onClick,
  children,
  ...rest
}: Omit<ComponentProps<'a'>, 'href'> & { href: string }) {
  const [, navigate] = useLocation()
  const open = (event: MouseEvent<HTMLAnchorElement>) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.button !== 0)
      return
    onClick?.(event)
    if (event.defaultPrevented) return
    event.preventDefault()
    navigate(href)
  }
  return (
    <a {...rest} href={href} onClick={open}>
      {children}
    </a>
  )
}
