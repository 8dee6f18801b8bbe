import { Refusal } from '#core/refusal.ts'
import { changeAccount } from '#server/security/account-seal.ts'
import type { Handler } from '#server/action.ts'
import { finishChange } from './factors.ts'
import { deletePasskey, findPasskeys } from './factor-store.ts'

export const removePasskey: Handler<'removePasskey'> = async (
  context,
  { userId, params: { id }, session, proof },
) => {
  const sessionId = await session.id()
  await changeAccount(context, userId, async (tx) => {
    if (!(await findPasskeys(tx.sql, userId)).some((passkey) => passkey.id === id))
      throw new Refusal('not-found')
    // Checked before the removal, because this passkey may be the proof.
    await proof.spend(tx)
    await deletePasskey(tx.sql, { userId, id })
    await finishChange(context, tx, {
      userId,
      sessionId,
      action: 'factor.remove',
      details: { kind: 'passkey' },
      notice: 'passkey-removed',
    })
  })
  return {}
}
