import type { ReactNode } from 'react'

/** A receipt: lines with dot leaders, and an accountant's double rule under the total. */
export function Receipt({ children }: { children: ReactNode }) {
  return <dl className="flex flex-col text-16">{children}</dl>
}

export function ReceiptLine({
  label,
  children,
  kind = 'line',
}: {
  label: ReactNode
  children: ReactNode
  kind?: 'line' | 'total'
}) {
  const total = kind === 'total'
  return (
    <div
      className={
        'flex flex-wrap items-baseline gap-x-2 py-1.5 ' +
        (total ? 'double-rule mt-1.5 font-semibold' : '')
      }
    >
      <dt className={`max-w-full ${total ? '' : 'text-ink2'}`}>{label}</dt>
      <dd className="order-3 ml-auto min-w-0 text-right wrap-anywhere">{children}</dd>
      {!total && (
        <div
          aria-hidden="true"
          className="order-2 min-w-4 flex-1 border-b border-dotted border-control"
        />
      )}
    </div>
  )
}
