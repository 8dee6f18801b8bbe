import type { Transaction } from '#contract/transactions.ts'

export type DayGroup = { day: string; rows: Transaction[] }

/** Rows in the order given, with those of one day after the other together. */
export function groupsByDay(
  rows: readonly Transaction[],
  dayOf: (row: Transaction) => string,
): DayGroup[] {
  const groups: DayGroup[] = []
  for (const row of rows) {
    const day = dayOf(row)
    const last = groups.at(-1)
    if (last?.day === day) last.rows.push(row)
    else groups.push({ day, rows: [row] })
  }
  return groups
}
