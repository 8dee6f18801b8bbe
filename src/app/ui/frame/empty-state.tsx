import type { ReactNode } from 'react'

export function EmptyState({
  title,
  children,
  action,
}: {
  title: string
  children?: ReactNode
  action?: ReactNode
}) {
  return (
    <div
      className={
        'hatch flex flex-col items-center gap-4 rounded-sheet border border-dashed ' +
        'border-control px-5 py-8 text-center'
      }
    >
      <div className="rounded-control bg-paper px-3 py-1">
        <p className="text-17 font-semibold">{title}</p>
        {children && <p className="mt-1 max-w-72 text-14 text-ink2">{children}</p>}
      </div>
      {action}
    </div>
  )
}
