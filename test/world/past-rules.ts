import { atomically } from '#server/db/atomically.ts'
import type { Sql } from '#server/db/open.ts'
import type { Queries } from '#server/db/statement.ts'

/**
 * Changes rows against the database's rules, with all triggers off, as a superuser could: to shift
 * their times, or to damage a book.
 */
export function pastRules<Result>(
  sql: Sql,
  change: (tx: Queries) => Promise<Result>,
): Promise<Result> {
  return atomically(sql, async (tx) => {
    await tx`set local session_replication_role = replica`
    return change(tx)
  })
}
