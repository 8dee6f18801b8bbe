import { Download } from 'lucide-react'
import type { ReactNode } from 'react'

/** Downloads a file from the server. */
export function DownloadLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a href={href} download className="inline-flex min-h-12 items-center gap-1.5 text-14 font-semibold text-accent">
      <Download size={18} aria-hidden="true" /> {children}
    </a>
  )
}
