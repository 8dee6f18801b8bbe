import type { ReactNode } from 'react'

export function Warning({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div role="status" className="rounded-control border border-warn px-4 py-3">
      <p className="text-16 font-semibold">{title}</p>
      <p className="text-14 text-ink2">{children}</p>
    </div>
  )
}
