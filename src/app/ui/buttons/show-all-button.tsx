import type { ReactNode } from 'react'
import { Button } from './button.tsx'

/**
 * A button below the first entries of a list. Shows all, or only the first again. Keeps the focus.
 */
export function ShowAllButton({
  showsAll,
  onChange,
  className = '',
  children,
}: {
  showsAll: boolean
  onChange: (showsAll: boolean) => void
  className?: string
  children: ReactNode
}) {
  return (
    <Button
      look="quiet"
      className={`-ml-2 ${className}`}
      aria-expanded={showsAll}
      onClick={() => onChange(!showsAll)}
    >
      {children}
    </Button>
  )
}
