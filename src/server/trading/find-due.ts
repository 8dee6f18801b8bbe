import { part, type Fragment, type Queries } from '#server/db/statement.ts'

/**
 * The user whose bots are due. Without `userId`, bots of several users are; undefined if none are.
 */
export type Due = { userId?: string } | undefined

/** More than the bots of one user that are usually due at once. */
const FEW = 16

/**
 * Finds the user of the bots that satisfy `condition`. Mostly there are none, or those of one user,
 * whose node then answers the next statements alone. Each condition has an index on the id, and the
 * order makes sure that it is used.
 */
export async function findDue(tx: Queries, condition: Fragment): Promise<Due> {
  const rows = await tx<
    { userId: string }[]
  >`select user_id from trading_bots where ${condition} order by id limit ${FEW}`
  const [userId, ...others] = new Set(rows.map((row) => row.userId))
  if (userId === undefined) return undefined
  return others.length === 0 && rows.length < FEW ? { userId } : {}
}

/** Limits rows with this column to those of the user. */
export const ofDue = ({ userId }: NonNullable<Due>, column: Fragment): Fragment =>
  userId === undefined ? part`true` : part`${column} = ${userId}`
