import { required } from '#core/assert.ts'
import { changeAccount, knownAccount } from '#server/security/account-seal.ts'
import type { Handler } from '#server/action.ts'
import { auditUser } from '#server/security/audit.ts'
import { notify, rememberLanguage } from '#server/notices/notify.ts'
import { askToVerify } from './send-verification.ts'
import { closeLinks, lockEmail, setUnverified } from './email-store.ts'
import { readUser } from './get-user.ts'
import { checkCurrentPassword, forgiveGuesses } from './guesses.ts'
import { refuseEnded } from './store.ts'

/**
 * The new address is used once it is verified; until then the old one stays, and gets a message
 * with a link that stops the change. Threat: enumeration. The answer does not reveal whether
 * somebody has the address.
 */
export const changeEmail: Handler<'changeEmail'> = async (
  context,
  { userId, body: { email, currentPassword }, session, proof, client },
) => {
  const { sql, newId } = context
  const { password } = await knownAccount(context, userId)
  await checkCurrentPassword(context, {
    userId,
    stored: password,
    typed: currentPassword,
    address: client.address,
  })
  const sessionId = await session.id()
  await changeAccount(context, userId, async (tx) => {
    const { isVerified } = required(await lockEmail(tx.sql, userId), 'a session has its user')
    await refuseEnded(tx.sql, { userId, sessionId })
    await proof.spend(tx)
    await setUnverified(tx.sql, { userId, email, isVerified })
    // Only the newest address can still be verified.
    await closeLinks(tx.sql, { userId, kinds: ['verify-email'] })
    await askToVerify(tx.sql, { userId, email })
    if (isVerified)
      await notify(tx.sql, {
        userId,
        kind: 'email-asked',
        event: `email:${newId()}`,
        details: { address: email },
      })
    await rememberLanguage(tx.sql, userId)
    await auditUser({ newId }, tx, { userId, action: 'email.ask' })
  })
  await forgiveGuesses(sql, userId)
  return readUser(sql, userId)
}
