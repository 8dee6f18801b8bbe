import type { ReactNode } from 'react'

export type Line = { label: ReactNode; value: ReactNode; isTotal?: boolean }

/**
 * A receipt: lines with dot leaders, and an accountant's double rule under the total. `false`: a
 * line that does not apply.
 */
export function Receipt({ lines }: { lines: readonly (Line | false | null | undefined)[] }) {
  return (
    <dl className="flex flex-col text-16">
      {lines.map((line, place) => line && <ReceiptLine key={place} {...line} />)}
    </dl>
  )
}

/** Drawn by CSS, because a group of a `dl` may contain only terms and descriptions. */
const LEADER =
  'after:order-2 after:min-w-4 after:flex-1 after:border-b after:border-dotted ' +
  'after:border-control'

function ReceiptLine({ label, value, isTotal = false }: Line) {
  return (
    <div
      className={
        'flex flex-wrap items-baseline gap-x-2 py-1.5 ' +
        (isTotal ? 'double-rule mt-1.5 font-semibold' : LEADER)
      }
    >
      <dt className={`max-w-full ${isTotal ? '' : 'text-ink2'}`}>{label}</dt>
      <dd className="order-3 ml-auto min-w-0 text-right wrap-anywhere">{value}</dd>
    </div>
  )
}
