import { required } from '#core/assert.ts'
import { Refusal } from '#core/refusal.ts'
import { changeAccount } from '#server/security/account-seal.ts'
import type { Handler } from '#server/action.ts'
import { auditUser } from '#server/security/audit.ts'
import { publish } from '#server/events/bus.ts'
import { LINK_HOURS, readLink } from '#server/notices/link.ts'
import { notify } from '#server/notices/notify.ts'
import { holdWithdrawals } from '#server/withdrawal-holds.ts'
import { closeLinks, lockEmail, setVerified, useLink } from './email-store.ts'

/**
 * The link proves access to this address. The earlier one gets a message with a link that undoes
 * the change.
 */
export const verifyEmail: Handler<'verifyEmail'> = async (context, { body: { token } }) => {
  const { config, newId } = context
  const link = readLink(token, { purpose: 'verify', secret: config.SESSION_SECRET })
  const { userId } = link
  return changeAccount(context, userId, async (tx) => {
    const before = required(await lockEmail(tx.sql, userId), 'users are never deleted')
    const message = await useLink(tx.sql, link, LINK_HOURS.verify)
    const email = message?.address ?? null
    if (
      email === null ||
      !link.wentTo(email) ||
      (email !== before.email && email !== before.pendingEmail)
    )
      throw new Refusal('link-invalid')
    const isChanged = before.isVerified && before.email !== email
    const hold = await holdWithdrawals(context, tx, { userId, reason: 'email-verified' })
    // Sent before the address changes, to the earlier one and every browser, with the link that
    // undoes it.
    if (isChanged)
      await notify(tx.sql, {
        userId,
        kind: 'email-changed',
        event: `email:${newId()}`,
        details: { address: email, ...hold },
        alsoTo: [email],
      })
    if (!(await setVerified(tx.sql, { userId, email }))) throw new Refusal('link-invalid')
    await closeLinks(tx.sql, { userId, kinds: ['verify-email', 'reset-password'] })
    await auditUser({ newId }, tx, { userId, action: 'email.verify' })
    await publish(tx.sql, { name: 'notices', userIds: [userId] })
    return { email }
  })
}
