import { part, type Fragment, type Queries } from '#server/db/statement.ts'

/** Bots of one user are due, by their `user_id`, or those of several; undefined if none are. */
export type Due = { userId?: string } | undefined

/** More bots than one user has at once, mostly. */
const FEW = 16

/** Whose bots satisfy `condition`: nearly always nobody's, which an index answers, or one user's, whose node then answers alone. */
export async function findDue(tx: Queries, condition: Fragment): Promise<Due> {
  const rows = await tx<{ userId: string }[]>`select user_id from trading_bots where ${condition} limit ${FEW}`
  const [userId, ...others] = new Set(rows.map((row) => row.userId))
  if (userId === undefined) return undefined
  return others.length === 0 && rows.length < FEW ? { userId } : {}
}

/** Limits rows with this column to those of the user. */
export const ofDue = ({ userId }: NonNullable<Due>, column: Fragment): Fragment => (userId === undefined ? part`true` : part`${column} = ${userId}`)
