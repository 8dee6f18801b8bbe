import { useState } from 'react'
import type { Transaction } from '#contract/transactions.ts'

type Held = {
  items: readonly Transaction[]
  rows: readonly Transaction[]
  newest: string | undefined
}

export type HeldRows = {
  /** The rows to show. Newer ones wait, so that the list does not move while it is read. */
  rows: readonly Transaction[]
  /**
   * Rows that wait. `isAllWaiting`: false if every row of the answer was new, because then more may
   * follow.
   */
  waiting: readonly Transaction[]
  isAllWaiting: boolean
  showAll: () => void
}

/**
 * Holds back new rows of a list that grows at its head while it is read; rows on screen change in
 * place. If the list opens with an older answer while `isLoading`, the new answer replaces all
 * rows.
 */
export function useHeldRows(items: readonly Transaction[], isLoading: boolean): HeldRows {
  const [held, setHeld] = useState<Held>(() => firstOf(items))
  const [isOpening, setOpening] = useState(isLoading)
  const taken = isOpening ? firstOf(items) : takeIn(held, items)
  const known = held.items === items ? held : taken
  if (known !== held) setHeld(known)
  if (isOpening && !isLoading) setOpening(false)
  return { ...split(known), showAll: () => setHeld(firstOf(items)) }
}

export function firstOf(items: readonly Transaction[]): Held {
  return { items, rows: items, newest: items[0]?.id }
}

/** An empty list takes all rows at once, because nothing on screen can move. */
export function takeIn({ rows, newest }: Held, items: readonly Transaction[]): Held {
  const known = new Map([...rows, ...items].map((row) => [row.id, row]))
  const all = [...known.values()].toSorted((a, b) => (a.id < b.id ? 1 : -1))
  return { items, rows: all, newest: newest ?? all[0]?.id }
}

export function split({ items, rows, newest = '' }: Held): Omit<HeldRows, 'showAll'> {
  const waiting = items.filter(({ id }) => id > newest)
  return {
    rows: rows.filter(({ id }) => id <= newest),
    waiting,
    isAllWaiting: waiting.length < items.length,
  }
}
