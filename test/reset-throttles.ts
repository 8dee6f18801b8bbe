import type { Queries } from '#server/db/statement.ts'
import { clearThrottle } from '#server/security/throttle.ts'

/**
 * Resets every limit, also in this process, which repeats a refusal for a second without asking the
 * database.
 */
export async function resetThrottles(sql: Queries): Promise<void> {
  const rows = await sql<{ key: string }[]>`select key from throttles`
  await clearThrottle(sql, ...rows.map(({ key }) => key))
}
