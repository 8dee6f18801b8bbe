import { atOneMoment } from '#server/db/atomically.ts'
import type { Sql } from '#server/db/open.ts'
import { CHECKS } from './reconcile-checks.ts'

export type Difference = { check: string; subject: string; finding: string }

/** Differences listed for each check at most. */
const MOST_ROWS = 20

/** Recomputes everything from the entries, at one moment, and names each row that differs. An empty list is a book in order. */
export async function reconcile(sql: Sql): Promise<Difference[]> {
  return atOneMoment(sql, async (tx) => {
    const differences: Difference[] = []
    for (const { name, statement } of CHECKS) {
      const rows = await tx.unsafe<{ subject: string; finding: string }[]>(`select * from (${statement}) found limit ${MOST_ROWS}`)
      for (const { subject, finding } of rows) differences.push({ check: name, subject, finding })
    }
    return differences
  })
}
