import { changeAccount } from '#server/security/account-seal.ts'
import type { Handler } from '#server/action.ts'
import { Refusal } from '#core/refusal.ts'
import { finishChange, hasFactor, methodsOf } from './factors.ts'

export const renewRecoveryCodes: Handler<'renewRecoveryCodes'> = async (
  context,
  { userId, session, proof },
) => {
  const sessionId = await session.id()
  const recoveryCodes = await changeAccount(context, userId, async (tx) => {
    if (!hasFactor(await methodsOf(tx, userId))) throw new Refusal('second-factor-missing')
    await proof.spend(tx)
    return finishChange(context, tx, {
      userId,
      sessionId,
      action: 'recovery-codes.renew',
      details: {},
      notice: 'recovery-codes-renewed',
    })
  })
  return { recoveryCodes }
}
