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

/** Part of the value, so that it leaves no stub behind a label if the value wraps. */
const LEADER =
  'before:min-w-4 before:flex-1 before:border-b before:border-dotted before:border-control'

function ReceiptLine({ label, value, isTotal = false }: Line) {
  return (
    <div
      className={
        'flex flex-wrap items-baseline gap-x-2 py-1.5 ' +
        (isTotal ? 'double-rule mt-1.5 font-semibold' : '')
      }
    >
      <dt className={`max-w-full ${isTotal ? '' : 'text-ink2'}`}>{label}</dt>
      <dd
        className={
          'flex min-w-0 flex-auto items-baseline justify-end gap-x-2 ' + (isTotal ? '' : LEADER)
        }
      >
        <span className="min-w-0 text-right wrap-anywhere">{value}</span>
      </dd>
    </div>
  )
}
