import type { Fragment, Queries } from '#server/db/statement.ts'

/**
 * Whether any bot satisfies `condition`, which has an index on the id. Asked before a statement
 * that would read more than bots, because mostly none does.
 */
export async function isAnyDue(tx: Queries, condition: Fragment): Promise<boolean> {
  const { count } = await tx`
    select user_id from trading_bots where ${condition} order by id limit 1`
  return count > 0
}
