import type { Context } from '#server/context.ts'
import { CHALLENGE_SECONDS } from './challenge.ts'
import { deleteOldChallenges } from './passkey-store.ts'
import { PROOF_SECONDS } from './proof.ts'
import { deleteOldProofs } from './proof-store.ts'
import { deleteEndedSessions, deleteOldThrottles } from './store.ts'

/** Deletes expired sessions, proofs and challenges, and outdated counts of attempts. */
export async function deleteExpiredSessions({ sql, config }: Context): Promise<void> {
  await deleteEndedSessions(sql, config)
  await deleteOldChallenges(sql, { seconds: 2 * CHALLENGE_SECONDS })
  await deleteOldProofs(sql, { seconds: PROOF_SECONDS })
  await deleteOldThrottles(sql)
}
