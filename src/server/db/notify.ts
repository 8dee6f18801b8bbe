import type { Queries } from './statement.ts'

export const NOTIFY_CHANNEL = 'app_events'

/**
 * Before each text stand the number of its transaction, and the lowest one that was still under
 * way: PostgreSQL delivers in the order of commits.
 */
export async function notify(sql: Queries, texts: readonly string[]): Promise<void> {
  await sql`
    select pg_notify(${NOTIFY_CHANNEL},
           pg_current_xact_id() || ' ' || pg_snapshot_xmin(pg_current_snapshot()) || ' ' || payload)
      from unnest(${texts}::text[]) as payload`
}
