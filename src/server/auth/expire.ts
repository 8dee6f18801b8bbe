import type { Context } from '#server/context.ts'
import { deleteEndedSessions, deleteOldThrottles } from './store.ts'

/** Deletes expired sessions and outdated counts of attempts. */
export async function deleteExpiredSessions({ sql }: Context): Promise<void> {
  await deleteEndedSessions(sql)
  await deleteOldThrottles(sql)
}
