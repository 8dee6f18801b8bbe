import type { Queries } from '#server/db/statement.ts'
import { clearThrottle } from '#server/security/throttle.ts'

/** Resets every limit, also the refusals cached by this process. */
export async function resetThrottles(sql: Queries): Promise<void> {
  const rows = await sql<{ key: string }[]>`select key from throttles`
  await clearThrottle(sql, ...rows.map(({ key }) => key))
}
