import { required } from '#core/assert.ts'
import { Refusal } from '#core/refusal.ts'
import { changeAccount, readAccount } from '#server/security/account-seal.ts'
import type { Handler } from '#server/action.ts'
import { writeAudit } from '#server/security/audit.ts'
import { publish } from '#server/events/bus.ts'
import { forgetPushDevices } from '#server/notices/remove-push-device.ts'
import { LINK_HOURS, readLink } from '#server/notices/link.ts'
import { notify } from '#server/notices/notify.ts'
import { throttle } from '#server/security/throttle.ts'
import { holdWithdrawals, unlockWithdrawals } from '#server/withdrawal-holds.ts'
import { closeLinks, isOpenLink, setPassword, useLink } from './email-store.ts'
import { hashPassword } from './password.ts'
import { checkNewPassword } from './password-lists.ts'
import { deleteSessionsOf } from './store.ts'

/**
 * Sets a new password with a link from a message. Ends every session, and signs nobody in: second
 * factors are asked for at the sign-in. Withdrawals wait, so that an owner whose mail was read by
 * somebody else can still stop them. A check before the work of hashing keeps made-up links cheap.
 */
export const resetPassword: Handler<'resetPassword'> = async (
  context,
  { body: { token, newPassword }, client },
) => {
  const { sql, config, newId } = context
  await throttle(sql, { key: `reset-link:${client.address}`, limit: 30, windowSeconds: 3_600 })
  const link = readLink(token, { purpose: 'reset', secret: config.SESSION_SECRET })
  if (!(await isOpenLink(sql, link, LINK_HOURS.reset))) throw new Refusal('link-invalid')
  const { userId } = link
  const { username, email: address } = required(
    await readAccount(context, userId),
    'users are never deleted',
  )
  if (!link.wentTo(address)) throw new Refusal('link-invalid')
  checkNewPassword(config, newPassword, { username, field: 'newPassword' })
  const next = await hashPassword(newPassword, client.address)
  await changeAccount(context, userId, async (tx) => {
    const { email, isVerified } = required(await readAccount(tx, userId), 'users are never deleted')
    const message = await useLink(tx.sql, link, LINK_HOURS.reset)
    // Written at the moment at which the address was taken back from a thief, it may have gone to
    // the thief.
    if (
      !message ||
      email === null ||
      !isVerified ||
      message.address !== email ||
      !link.wentTo(email)
    )
      throw new Refusal('link-invalid')
    await setPassword(tx.sql, { userId, password: next })
    await closeLinks(tx.sql, { userId, kinds: ['reset-password'] })
    await deleteSessionsOf(tx.sql, { userId, except: undefined })
    await unlockWithdrawals(tx.sql, userId)
    const hold = await holdWithdrawals(context, tx, { userId, reason: 'password-reset' })
    await notify(tx.sql, {
      userId,
      kind: 'password-reset',
      event: `password:${newId()}`,
      details: hold,
    })
    await forgetPushDevices(tx.sql, userId)
    await writeAudit(tx, {
      id: newId(),
      actor: `user:${userId}`,
      action: 'password.reset',
      subject: userId,
      details: {},
    })
    await publish(tx.sql, { name: 'sessions-ended', userIds: [userId] })
  })
  return {}
}
