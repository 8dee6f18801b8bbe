import { createHmac } from 'node:crypto'
import { calls, type ProvenName } from '#contract/calls.ts'
import type { Proof, SessionControl } from '#server/action.ts'
import type { Context } from '#server/context.ts'
import type { Queries } from '#server/db/statement.ts'
import { isId } from '#server/kernel/ids.ts'
import { hasFactor, methodsOf, refusalWith } from './factors.ts'
import { deleteProofsOf, takeProof } from './factor-store.ts'
import { isNewSession } from './store.ts'

export const PROOF_SECONDS = 300

export type ProvenRequest = { action: ProvenName; id: string | undefined; body: unknown }

/**
 * Digest of a request, to which a proof is bound. Keyed, because the request may contain an account
 * number or a password. Threat: a stolen session adds a bank account and empties the balance.
 */
export function digestOf(
  { config }: Pick<Context, 'config'>,
  { userId, request: { action, id, body } }: { userId: string; request: ProvenRequest },
): Buffer {
  const bound = JSON.stringify(['proof', userId, action, id ?? null, body ?? null])
  return createHmac('sha256', config.SESSION_SECRET).update(bound).digest()
}

type Caller = {
  userId: string
  session: Pick<SessionControl, 'id'>
  request: ProvenRequest
  proofId: string | undefined
}

/**
 * Reads the session before the transaction, because a second connection within it could deadlock
 * the pool.
 */
export async function proofOf(
  context: Context,
  { userId, session, request, proofId }: Caller,
): Promise<Proof> {
  const sessionId = await session.id()
  const rule = calls[request.action].proof
  const digest = digestOf(context, { userId, request })
  const isGiven = async (tx: Queries): Promise<boolean> =>
    sessionId !== undefined &&
    proofId !== undefined &&
    isId(proofId) &&
    takeProof(tx, { userId, sessionId, digest, id: proofId, seconds: PROOF_SECONDS })
  return {
    spend: async (tx) => {
      if (await isGiven(tx.sql)) return
      const methods = await methodsOf(tx, userId)
      if (!hasFactor(methods) && rule === 'with-factor') return
      if (
        !hasFactor(methods) &&
        rule === 'unless-new' &&
        (await isNewSession(tx.sql, { userId, sessionId, seconds: PROOF_SECONDS }))
      )
        return
      throw refusalWith('proof-required', methods)
    },
  }
}

/** Deletes a user's unused proofs, for example when the default bank account changes. */
export async function voidProofs(tx: Queries, userId: string): Promise<void> {
  await deleteProofsOf(tx, userId)
}
