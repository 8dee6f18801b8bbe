import type { Queries } from '#server/db/statement.ts'

/**
 * How many operators manage the others, and how many may approve payouts, without those who are
 * disabled.
 */
export async function countOperators(sql: Queries): Promise<{ admins: number; payers: number }> {
  const [row] = await sql<{ admins: number; payers: number }[]>`
    select (count(*) filter (where 'admin' = any(roles)))::integer as admins,
           (count(*) filter (where 'payouts' = any(roles)))::integer as payers
      from operators where disabled_at is null`
  return row ?? { admins: 0, payers: 0 }
}
