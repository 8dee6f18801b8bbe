import { Refusal } from '#core/refusal.ts'
import { changeAccount } from '#server/security/account-seal.ts'
import type { Handler } from '#server/action.ts'
import { deleteAuthenticator } from './factor-store.ts'
import { finishChange } from './factors.ts'

export const removeAuthenticator: Handler<'removeAuthenticator'> = async (
  context,
  { userId, session, proof },
) => {
  const sessionId = await session.id()
  await changeAccount(context, userId, async (tx) => {
    await proof.spend(tx)
    if (!(await deleteAuthenticator(tx.sql, userId))) throw new Refusal('not-found')
    await finishChange(context, tx, {
      userId,
      sessionId,
      action: 'factor.remove',
      details: { kind: 'authenticator' },
      notice: 'authenticator-removed',
    })
  })
  return {}
}
