import type { Sql } from '#server/db/open.ts'
import { pastRules } from '../world/past-rules.ts'

/** Rules look back seven days. */
const KEPT_DAYS = 7

/**
 * Deletes the messages and holds of earlier lives, which no rule reads any more, so that no passing
 * hour has to change them too.
 */
export async function forgetHistory(sql: Sql, ids: readonly string[]): Promise<void> {
  await pastRules(sql, async (tx) => {
    await tx`delete from deliveries where user_id = any(${ids}::uuid[])
      and created_at < now() - ${KEPT_DAYS} * interval '1 day'`
    await tx`delete from notices where user_id = any(${ids}::uuid[])
      and created_at < now() - ${KEPT_DAYS} * interval '1 day'`
    await tx`delete from withdrawal_holds where user_id = any(${ids}::uuid[])
      and created_at < now() - ${KEPT_DAYS} * interval '1 day'
      and (until < now() or lifted_at is not null)`
  })
}
