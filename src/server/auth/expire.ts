import type { Context } from '#server/context.ts'
import { deleteEndedSessions, deleteOldThrottles } from './store.ts'

/** Forgets sessions that ended and counts of attempts that no longer matter. */
export async function deleteExpiredSessions({ sql }: Context): Promise<void> {
  await deleteEndedSessions(sql)
  await deleteOldThrottles(sql)
}
