import type { Queries } from '#server/db/statement.ts'

export type NewProof = { id: string; userId: string; sessionId: string; digest: Uint8Array }

/** False if the session has ended. */
export async function insertProof(
  tx: Queries,
  { id, userId, sessionId, digest }: NewProof,
): Promise<boolean> {
  const { count } = await tx`
    insert into proofs (user_id, id, session_id, digest)
    select s.user_id, ${id}::uuid, s.id, ${digest}::bytea
      from sessions s where s.user_id = ${userId} and s.id = ${sessionId} and s.expires_at > now()
       for key share`
  return count === 1
}

/**
 * Deletes the proof if it is for this request, of this session and made within `seconds`. Of
 * several at once, one gets true.
 */
export async function takeProof(
  tx: Queries,
  { id, userId, sessionId, digest, seconds }: NewProof & { seconds: number },
): Promise<boolean> {
  const { count } = await tx`
    delete from proofs where user_id = ${userId} and id = ${id} and session_id = ${sessionId}
       and digest = ${digest}
       and made_at > now() - ${seconds} * interval '1 second'`
  return count === 1
}

export async function deleteProofsOf(tx: Queries, userId: string): Promise<void> {
  await tx`delete from proofs where user_id = ${userId}`
}

export async function deleteOldProofs(
  sql: Queries,
  { seconds }: { seconds: number },
): Promise<void> {
  await sql`delete from proofs where made_at < now() - ${seconds} * interval '1 second'`
}
