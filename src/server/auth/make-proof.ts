import { Refusal } from '#core/refusal.ts'
import type { MakeProofRequest } from '#contract/proofs.ts'
import { schemas, type RouteSchemas } from '#contract/schemas.ts'
import { Nothing } from '#contract/wire.ts'
import type { Handler } from '#server/action.ts'
import { writeAudit } from '#server/audit.ts'
import { atomically } from '#server/db/atomically.ts'
import { ALLOWED_WHILE_FROZEN, refuseFrozen } from './frozen.ts'
import { countGuess, forgiveGuesses, uncountGuess } from './guesses.ts'
import { identify } from './identify.ts'
import { digestOf, PROOF_SECONDS, type ProvenRequest } from './proof.ts'
import { insertProof } from './proof-store.ts'

/**
 * The user proves who asks for one request, which follows with the proof's id. Wrong attempts are
 * counted like wrong passwords.
 */
export const makeProof: Handler<'makeProof'> = async (
  context,
  { userId, body, session, client },
) => {
  const { sql, config, now, newId } = context
  const request = checkRequest(body)
  if (!ALLOWED_WHILE_FROZEN.has(request.action)) await refuseFrozen(context, userId)
  const sessionId = await session.id()
  await countGuess(sql, { userId, attempts: config.LOGIN_ATTEMPTS })
  const identity = await identify(context, { userId, body, client })
  const audit = { actor: `user:${userId}`, subject: userId }
  const id = newId()
  const isMade = await atomically(sql, async (tx) => {
    const method = await identity.use(tx)
    const details = { action: request.action, method: method ?? identity.given }
    await writeAudit(tx, {
      id: newId(),
      action: method === undefined ? 'proof.refuse' : 'proof.make',
      ...audit,
      details,
    })
    if (method === undefined) return false
    const digest = digestOf(context, { userId, request })
    if (sessionId === undefined || !(await insertProof(tx, { id, userId, sessionId, digest })))
      throw new Refusal('not-signed-in')
    return true
  })
  if (!isMade) throw identity.refusal
  await uncountGuess(sql, userId)
  await forgiveGuesses(sql, userId)
  return { id, expiresAt: new Date(now().getTime() + PROOF_SECONDS * 1_000).toISOString() }
}

/** Checked as the action's own call is, so that both are the same request. */
function checkRequest({ action, id, request }: MakeProofRequest): ProvenRequest {
  const { params, body }: RouteSchemas = schemas[action]
  const checked = (body ?? Nothing).safeParse(request ?? {})
  if (!checked.success) throw new Refusal('invalid-input', { field: 'request' })
  if ((params === undefined) !== (id === undefined))
    throw new Refusal('invalid-input', { field: 'id' })
  return { action, id, body: body && checked.data }
}
