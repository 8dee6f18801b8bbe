import { Refusal } from '#core/refusal.ts'
import { changeAccount, knownAccount } from '#server/security/account-seal.ts'
import type { Handler } from '#server/action.ts'
import type { Book } from '#server/db/book.ts'
import { auditUser } from '#server/security/audit.ts'
import { forgetPushDevices } from '#server/notices/remove-push-device.ts'
import { forgetWebhooks } from '#server/notices/remove-webhook.ts'
import { LINK_HOURS, type Link } from '#server/notices/link.ts'
import { notify } from '#server/notices/notify.ts'
import { holdWithdrawals, unlockWithdrawals } from '#server/withdrawal-holds.ts'
import { closeLinks, setPassword, useLink } from './email-store.ts'
import { hashPassword } from './password.ts'
import { checkNewPassword } from './password-lists.ts'
import { endSessionsOf } from './frozen.ts'
import { openLink } from './open-link.ts'

/**
 * Ends every session and signs nobody in, because signing in may need a second factor. Withdrawals
 * wait, so that an owner whose mail was read by somebody else can stop them.
 */
export const resetPassword: Handler<'resetPassword'> = async (
  context,
  { body: { token, newPassword }, client },
) => {
  const link = await openLink(context, { token, client, purpose: 'reset' })
  const { userId } = link
  const { username, email } = await knownAccount(context, userId)
  if (!link.wentTo(email)) throw new Refusal('link-invalid')
  checkNewPassword(context.config, newPassword, { username, field: 'newPassword' })
  const password = await hashPassword(newPassword, client.address)
  await changeAccount(context, userId, async (tx) => {
    await spendLink(tx, link)
    await setPassword(tx.sql, { userId, password })
    await closeLinks(tx.sql, { userId, kinds: ['reset-password'] })
    await endSessionsOf(tx.sql, { userId })
    await unlockWithdrawals(tx.sql, userId)
    const details = await holdWithdrawals(context, tx, { userId, reason: 'password-reset' })
    const event = `password:${context.newId()}`
    await notify(tx.sql, { userId, kind: 'password-reset', event, details })
    await forgetPushDevices(tx.sql, userId)
    await forgetWebhooks(tx.sql, userId)
    await auditUser(context, tx, { userId, action: 'password.reset' })
  })
  return {}
}

/**
 * Threat: a link from before the address was restored may have gone to the thief. Only links to the
 * verified address are accepted.
 */
async function spendLink(tx: Book, link: Link): Promise<void> {
  const account = await knownAccount(tx, link.userId)
  const message = await useLink(tx.sql, link, LINK_HOURS.reset)
  const isOwners =
    account.email !== null &&
    account.isVerified &&
    message?.address === account.email &&
    link.wentTo(account.email)
  if (!isOwners) throw new Refusal('link-invalid')
}
