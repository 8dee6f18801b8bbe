import { Refusal } from '#core/refusal.ts'
import { knownAccount } from '#server/security/account-seal.ts'
import type { Handler } from '#server/action.ts'
import { seal } from '#server/kernel/sealed.ts'
import { authenticatorUri, newAuthenticatorSecret } from './authenticator.ts'
import { findAuthenticator, lockFactors, startAuthenticator as storeStart } from './factor-store.ts'

export const startAuthenticator: Handler<'startAuthenticator'> = async (
  context,
  { userId, proof },
) => {
  const { atomically, config } = context
  const { username } = await knownAccount(context, userId)
  const secret = newAuthenticatorSecret()
  const secretSealed = seal({
    text: secret,
    userId,
    secret: config.SESSION_SECRET,
    purpose: 'authenticators',
  })
  await atomically(async (tx) => {
    await lockFactors(tx.sql, userId)
    if ((await findAuthenticator(tx.sql, userId))?.confirmedAt)
      throw new Refusal('authenticator-exists')
    await proof.spend(tx)
    await storeStart(tx.sql, { userId, secretSealed })
  })
  return { secret, uri: authenticatorUri({ secret, username }) }
}
