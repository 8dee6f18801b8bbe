import { Refusal } from '#core/refusal.ts'
import type { Queries } from '#server/db/statement.ts'

/**
 * Counts an attempt under `key` and refuses once more than `limit` fall into one window of `windowSeconds`.
 * The count is stored in the database, so it applies to all processes and survives restarts.
 */
export async function throttle(
  sql: Queries,
  { key, limit, windowSeconds }: { key: string; limit: number; windowSeconds: number },
): Promise<void> {
  const [row] = await sql<{ attempts: number }[]>`
    insert into throttles (key, window_start, attempts) values (${key}, now(), 1)
    on conflict (key) do update
      set attempts = case when throttles.window_start < now() - ${windowSeconds} * interval '1 second' then 1 else throttles.attempts + 1 end,
          window_start = case when throttles.window_start < now() - ${windowSeconds} * interval '1 second' then now() else throttles.window_start end
    returning attempts`
  if ((row?.attempts ?? 0) > limit) throw new Refusal('too-many-attempts')
}

/** Resets the count of `key`: a correct password clears earlier wrong ones. */
export async function clearThrottle(sql: Queries, key: string): Promise<void> {
  await sql`delete from throttles where key = ${key}`
}
