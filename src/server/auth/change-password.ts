import { Refusal } from '#core/refusal.ts'
import { changeAccount, knownAccount } from '#server/security/account-seal.ts'
import type { Handler } from '#server/action.ts'
import { auditUser } from '#server/security/audit.ts'
import { publish } from '#server/events/bus.ts'
import { notify } from '#server/notices/notify.ts'
import { holdWithdrawals } from '#server/withdrawal-holds.ts'
import { checkCurrentPassword, forgiveGuesses } from './guesses.ts'
import { hashPassword } from './password.ts'
import { checkNewPassword } from './password-lists.ts'
import { deleteSessionsOf, replacePassword } from './store.ts'

/**
 * Changes the password. Threat: somebody finds an unlocked phone; so the current password and any
 * second factor are required, guesses are counted, and every other session ends.
 */
export const changePassword: Handler<'changePassword'> = async (
  context,
  { userId, body, session, client, proof },
) => {
  const { sql, config, newId } = context
  const { username, password } = await knownAccount(context, userId)
  const field = 'newPassword'
  checkNewPassword(config, body.newPassword, { username, field })
  if (body.newPassword === body.currentPassword) throw new Refusal('password-unchanged', { field })
  await checkCurrentPassword(context, {
    userId,
    stored: password,
    typed: body.currentPassword,
    address: client.address,
  })
  const next = await hashPassword(body.newPassword, client.address)
  await changeAccount(context, userId, async (tx) => {
    await proof.spend(tx)
    if (!(await replacePassword(tx.sql, { userId, from: password, to: next })))
      throw new Refusal('wrong-password', { field: 'currentPassword' })
    await deleteSessionsOf(tx.sql, { userId, except: undefined })
    const hold = await holdWithdrawals(context, tx, { userId, reason: 'password-changed' })
    await notify(tx.sql, {
      userId,
      kind: 'password-changed',
      event: `password:${newId()}`,
      details: hold,
    })
    await auditUser({ newId }, tx, { userId, action: 'password.change' })
  })
  await forgiveGuesses(sql, userId)
  await session.start({ userId, provenBy: next })
  // Published last: this browser's own stream ends too, and must reconnect with its new session.
  await publish(sql, { name: 'sessions-ended', userIds: [userId] })
  return {}
}
