import { Refusal } from '#core/refusal.ts'
import type { Handler } from '#server/action.ts'
import { atomically } from '#server/db/atomically.ts'
import { deleteAuthenticator, lockFactors } from './factor-store.ts'
import { finishChange } from './factors.ts'

export const removeAuthenticator: Handler<'removeAuthenticator'> = async (context, { userId, session, proof }) => {
  const sessionId = await session.id()
  await atomically(context.sql, async (tx) => {
    await lockFactors(tx, userId)
    await proof.spend(tx)
    if (!(await deleteAuthenticator(tx, userId))) throw new Refusal('not-found')
    await finishChange(context, tx, { userId, sessionId, action: 'factor.remove', details: { kind: 'authenticator' }, notice: 'authenticator-removed' })
  })
  return {}
}
