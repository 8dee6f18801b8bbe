import { Refusal } from '#core/refusal.ts'
import { hasId, isRefusedToFrozen, rowOf, type MakeProofRequest } from '#contract/calls.ts'
import { Nothing, type ProofMethod } from '#contract/wire.ts'
import type { Handler, Call } from '#server/action.ts'
import { auditUser } from '#server/security/audit.ts'
import type { Book } from '#server/db/book.ts'
import { refuseFrozen } from './frozen.ts'
import { countGuess, forgiveGuesses, uncountGuess } from './guesses.ts'
import { digestOf, PROOF_SECONDS, type ProvenRequest } from './proof.ts'
import { insertProof } from './factor-store.ts'
import type { RouteName } from '#contract/routes.ts'
import { knownAccount } from '#server/security/account-seal.ts'
import type { Context } from '#server/context.ts'
import { hasFactor, methodsOf, refusalWith } from './factors.ts'
import { checkPasskey, PURPOSES } from './passkey.ts'
import { verifyPassword } from './password.ts'
import { spendCode } from './authenticator.ts'

/** Wrong attempts are counted like wrong passwords. */
export const makeProof: Handler<'makeProof'> = async (
  context,
  { userId, body, session, client },
) => {
  const { sql, atomically, now, newId } = context
  const request = checkRequest(body)
  if (isRefusedToFrozen(request.action)) await refuseFrozen(context, userId)
  const sessionId = await session.id()
  await countGuess(context, userId)
  const identity = await identify(context, { userId, body, client })
  const id = newId()
  const isMade = await atomically(async (tx) => {
    const method = await identity.use(tx)
    const details = { action: request.action, method: method ?? identity.given }
    await auditUser(context, tx, {
      userId,
      action: method === undefined ? 'proof.refuse' : 'proof.make',
      details,
    })
    if (method === undefined) return false
    const digest = digestOf(context, { userId, request })
    if (sessionId === undefined || !(await insertProof(tx.sql, { id, userId, sessionId, digest })))
      throw new Refusal('not-signed-in')
    return true
  })
  if (!isMade) throw identity.refusal
  await uncountGuess(sql, userId)
  await forgiveGuesses(sql, userId)
  return { id, expiresAt: new Date(now().getTime() + PROOF_SECONDS * 1_000).toISOString() }
}

/** Checks the request like the action's own call, so that both have the same digest. */
function checkRequest({ action, id, request }: MakeProofRequest): ProvenRequest {
  const { body } = rowOf(action)
  const checked = (body ?? Nothing).safeParse(request ?? {})
  if (!checked.success) throw new Refusal('invalid-input', { field: 'request' })
  if (hasId(action) !== (id !== undefined)) throw new Refusal('invalid-input', { field: 'id' })
  return { action, id, body: body && checked.data }
}

const WAYS = ['password', 'code', 'passkey'] as const

/**
 * `use`: spends the evidence in a transaction. It is undefined if the evidence is wrong; then the
 * answer is `refusal`.
 */
type Identity = {
  given: (typeof WAYS)[number]
  use: (tx: Book) => Promise<ProofMethod | undefined>
  refusal: Refusal
}

type ProofRequest = {
  userId: string
  body: Pick<MakeProofRequest, (typeof WAYS)[number]>
  client: Call<RouteName>['client']
}

/**
 * Checks the evidence. Slow checks run outside of the transaction. With a second factor the
 * password alone is refused.
 */
async function identify(
  context: Context,
  { userId, body, client }: ProofRequest,
): Promise<Identity> {
  const [given, ...more] = WAYS.filter((way) => body[way] !== undefined)
  if (given === undefined || more.length > 0) throw new Refusal('required', { field: 'password' })
  const { password, code, passkey } = body
  if (code !== undefined) {
    return {
      given,
      use: (tx) => spendCode(context, tx, { userId, code }),
      refusal: new Refusal('wrong-code', { field: 'code' }),
    }
  }
  if (passkey !== undefined) {
    const checked = await checkPasskey(context, {
      userId,
      assertion: passkey,
      client,
      purpose: PURPOSES.proof(userId),
    })
    const use = async ({ sql }: Book) => ((await checked?.use(sql)) ? 'passkey' : undefined)
    return { given, use, refusal: new Refusal('wrong-passkey') }
  }
  const stored = await knownAccount(context, userId)
  const matches = await verifyPassword(stored.password, password ?? '', client.address)
  const use = async (tx: Book) => {
    const methods = await methodsOf(tx, userId)
    if (hasFactor(methods)) throw refusalWith('second-factor-required', methods)
    return matches ? 'password' : undefined
  }
  return { given, use, refusal: new Refusal('wrong-password', { field: 'password' }) }
}
