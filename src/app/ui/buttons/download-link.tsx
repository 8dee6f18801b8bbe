import type { ReactNode } from 'react'
import { Download } from '#app/ui/frame/later-icons.ts'

/** Downloads a file from the server. `file`: its name if the server gives none. */
export function DownloadLink({
  href,
  file = '',
  children,
}: {
  href: string
  file?: string
  children: ReactNode
}) {
  return (
    <a
      href={href}
      download={file}
      className="inline-flex min-h-12 items-center gap-1.5 text-14 font-semibold text-accent"
    >
      <Download size={18} aria-hidden="true" /> {children}
    </a>
  )
}
