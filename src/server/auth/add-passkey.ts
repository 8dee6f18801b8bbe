import { Refusal } from '#core/refusal.ts'
import { deviceOf } from '#words/device.ts'
import { changeAccount } from '#server/security/account-seal.ts'
import type { Handler } from '#server/action.ts'
import { finishChange } from './factors.ts'
import { checkCreation, PURPOSES } from './passkey.ts'
import { insertPasskey } from './factor-store.ts'
import { refuseEnded } from './store.ts'

export const addPasskey: Handler<'addPasskey'> = async (
  context,
  { userId, body, session, client },
) => {
  const sessionId = await session.id()
  if (sessionId === undefined) throw new Refusal('not-signed-in')
  const created = await checkCreation(context, {
    created: body,
    client,
    purpose: PURPOSES.creation({ userId, sessionId }),
  })
  if (!created) throw new Refusal('wrong-passkey')
  const { publicKey, counter } = created
  const { id: credentialId, transports } = body
  const recoveryCodes = await changeAccount(context, userId, async (tx) => {
    await refuseEnded(tx.sql, { userId, sessionId })
    const passkey = {
      userId,
      id: context.newId(),
      credentialId,
      publicKey,
      counter,
      transports,
      name: deviceOf(client.userAgent).slice(0, 50),
    }
    if (!(await created.spend(tx.sql, userId)) || !(await insertPasskey(tx.sql, passkey)))
      throw new Refusal('wrong-passkey')
    return finishChange(context, tx, {
      userId,
      sessionId,
      action: 'factor.add',
      details: { kind: 'passkey' },
      notice: 'passkey-added',
    })
  })
  return { recoveryCodes }
}
