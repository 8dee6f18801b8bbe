import type { ReactNode } from 'react'

type Props = { label: ReactNode; children: ReactNode; kind?: 'line' | 'total' }

export function ReceiptLine({ label, children, kind = 'line' }: Props) {
  const total = kind === 'total'
  return (
    <div className={`flex items-baseline gap-2 py-1.5 ${total ? 'double-rule mt-1.5 font-semibold' : ''}`}>
      <dt className={total ? '' : 'text-ink2'}>{label}</dt>
      <dd className="order-3 ml-auto max-w-[75%] text-right">{children}</dd>
      {!total && <div aria-hidden="true" className="order-2 min-w-4 flex-1 border-b border-dotted border-control" />}
    </div>
  )
}
