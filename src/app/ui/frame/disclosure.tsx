import type { ComponentProps, ReactNode } from 'react'
import { ChevronDown } from './icons.ts'

/** A section that unfolds. Works without scripts, because the browser does it. */
export function Disclosure({
  summary,
  size = 'text-16',
  className = 'border-b border-hairline',
  children,
  ...rest
}: ComponentProps<'details'> & { summary: ReactNode; size?: 'text-16' | 'text-17' }) {
  return (
    <details {...rest} className={`group ${className}`}>
      <summary
        className={
          'flex min-h-12 cursor-pointer list-none items-center justify-between gap-3 py-3 ' +
          `${size} font-semibold`
        }
      >
        {summary}
        <ChevronDown
          size={20}
          strokeWidth={1.75}
          aria-hidden="true"
          className="shrink-0 text-ink2 group-open:rotate-180"
        />
      </summary>
      {children}
    </details>
  )
}
