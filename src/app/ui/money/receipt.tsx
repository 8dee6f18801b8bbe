import type { ReactNode } from 'react'

/** A receipt: ledger lines with leader dots, a book-keeper's double rule under the total. */
export function Receipt({ children }: { children: ReactNode }) {
  return <dl className="flex flex-col text-16">{children}</dl>
}
