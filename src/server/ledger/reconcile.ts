import { atOneMoment } from '#server/db/atomically.ts'
import type { Sql } from '#server/db/open.ts'
import type { Queries } from '#server/db/statement.ts'
import type { Difference } from './check.ts'
import { CHECKS } from './reconcile-checks.ts'
import { findArchiveFaults, findBrokenSeals } from './check-seals.ts'

/** Maximum differences listed per check. */
const MOST_ROWS = 20

/** Checks every invariant and every seal on one snapshot, and lists each row that differs. An empty list means that the book is in order. */
export async function reconcile(sql: Sql): Promise<Difference[]> {
  return atOneMoment(sql, async (tx) => [...(await recompute(tx)), ...(tx.seals ? [...(await findBrokenSeals(tx, tx.seals)), ...(await findArchiveFaults(tx, tx.seals))] : [])])
}

/** Recomputes the book from its entries and rows, without the seals. */
export async function recompute(tx: Queries): Promise<Difference[]> {
  const differences: Difference[] = []
  for (const { name, statement } of CHECKS) {
    const rows = await tx.unsafe<{ subject: string; finding: string }[]>(`select * from (${statement}) found limit ${MOST_ROWS}`)
    for (const { subject, finding } of rows) differences.push({ check: name, subject, finding })
  }
  return differences
}
