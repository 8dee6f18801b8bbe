import { useState } from 'react'
import type { Transaction } from '#contract/transactions.ts'

type Held = {
  /** The answer that was last taken in. */
  items: readonly Transaction[]
  /** All rows known since the list was opened, newest first. */
  rows: readonly Transaction[]
  /** The newest row that is shown. */
  newest: string | undefined
}

export type HeldRows = {
  /** The rows to show. Those that arrived since wait, so that nothing moves under the finger that reads. */
  rows: readonly Transaction[]
  /** How many wait: '3', or '50+' if there may be more than one answer holds. */
  waiting: string | undefined
  showAll: () => void
}

/** Rows of a list that grows at its head while it is read. Rows that are shown change in place. */
export function useHeldRows(items: readonly Transaction[]): HeldRows {
  const [held, setHeld] = useState<Held>(() => firstOf(items))
  const known = held.items === items ? held : takeIn(held, items)
  if (known !== held) setHeld(known)
  return { ...split(known), showAll: () => setHeld(firstOf(items)) }
}

export function firstOf(items: readonly Transaction[]): Held {
  return { items, rows: items, newest: items[0]?.id }
}

/** Into an empty list everything is taken at once: nothing can move. */
export function takeIn({ rows, newest }: Held, items: readonly Transaction[]): Held {
  const known = new Map([...rows, ...items].map((row) => [row.id, row]))
  const all = [...known.values()].toSorted((a, b) => (a.id < b.id ? 1 : -1))
  return { items, rows: all, newest: newest ?? all[0]?.id }
}

export function split({ items, rows, newest = '' }: Held): Pick<HeldRows, 'rows' | 'waiting'> {
  const waiting = items.filter(({ id }) => id > newest).length
  const isAll = waiting < items.length
  return { rows: rows.filter(({ id }) => id <= newest), waiting: waiting === 0 ? undefined : `${waiting}${isAll ? '' : '+'}` }
}
