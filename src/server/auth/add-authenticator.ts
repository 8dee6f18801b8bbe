import { authenticatorCodeOf } from '#core/auth/recovery-code.ts'
import { Refusal } from '#core/refusal.ts'
import { changeAccount } from '#server/security/account-seal.ts'
import type { Handler } from '#server/action.ts'
import { confirmAuthenticator, findAuthenticator } from './factor-store.ts'
import { finishChange } from './factors.ts'
import { countGuess, forgiveGuesses, uncountGuess } from './guesses.ts'
import { acceptCode } from './authenticator.ts'
import { refuseEnded } from './store.ts'

/** Needs no proof: only the session that started the setup knows the secret. */
export const addAuthenticator: Handler<'addAuthenticator'> = async (
  context,
  { userId, body, session },
) => {
  const { sql } = context
  const sessionId = await session.id()
  await countGuess(context, userId)
  const recoveryCodes = await changeAccount(context, userId, async (tx) => {
    await refuseEnded(tx.sql, { userId, sessionId })
    const started = await findAuthenticator(tx.sql, userId)
    if (!started || started.confirmedAt || started.isStartedLongAgo)
      throw new Refusal('authenticator-expired')
    const code = authenticatorCodeOf(body.code)
    const isRight =
      code !== undefined &&
      (await acceptCode(context, tx.sql, { userId, code, secretSealed: started.secretSealed }))
    if (!isRight) throw new Refusal('wrong-code', { field: 'code' })
    await confirmAuthenticator(tx.sql, userId)
    return finishChange(context, tx, {
      userId,
      sessionId,
      action: 'factor.add',
      details: { kind: 'authenticator' },
      notice: 'authenticator-added',
    })
  })
  await uncountGuess(sql, userId)
  await forgiveGuesses(sql, userId)
  return { recoveryCodes }
}
