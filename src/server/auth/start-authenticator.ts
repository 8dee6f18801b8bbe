import { required } from '#core/assert.ts'
import { Refusal } from '#core/refusal.ts'
import { readAccount } from '#server/account-seal.ts'
import type { Handler } from '#server/action.ts'
import { atomically } from '#server/db/atomically.ts'
import { seal } from '#server/sealed.ts'
import { authenticatorUri, newAuthenticatorSecret } from './authenticator.ts'
import { findAuthenticator, lockFactors, startAuthenticator as storeStart } from './factor-store.ts'

/**
 * Makes the secret for an authenticator app. It counts once `addAuthenticator` has seen a code of
 * it.
 */
export const startAuthenticator: Handler<'startAuthenticator'> = async (
  { sql, config },
  { userId, proof },
) => {
  const { username } = required(await readAccount(sql, userId), 'a session has its user')
  const secret = newAuthenticatorSecret()
  const secretSealed = seal({
    text: secret,
    userId,
    secret: config.SESSION_SECRET,
    purpose: 'authenticators',
  })
  await atomically(sql, async (tx) => {
    await lockFactors(tx, userId)
    if ((await findAuthenticator(tx, userId))?.confirmedAt)
      throw new Refusal('authenticator-exists')
    await proof.spend(tx)
    await storeStart(tx, { userId, secretSealed })
  })
  return { secret, uri: authenticatorUri({ secret, username }) }
}
