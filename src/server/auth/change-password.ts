import { required } from '#core/assert.ts'
import { refuseWeakPassword } from '#core/auth/credentials.ts'
import { Refusal } from '#core/refusal.ts'
import type { Handler } from '#server/action.ts'
import { writeAudit } from '#server/audit.ts'
import { atomically } from '#server/db/atomically.ts'
import { publish } from '#server/events/bus.ts'
import { clearThrottle, throttle } from '#server/throttle.ts'
import { hashPassword, verifyPassword } from './password.ts'
import { deleteSessionsOf, findPassword, replacePassword } from './store.ts'

/**
 * Threat: somebody who finds an unlocked phone could change the password and take over the account. So the current password is required,
 * guesses are counted, and the change ends every session and starts a new one for this device.
 */
export const changePassword: Handler<'changePassword'> = async ({ sql, config, newId }, { userId, body, session }) => {
  const { username, password } = required(await findPassword(sql, userId), 'a session has its user')
  const field = 'newPassword'
  refuseWeakPassword(body.newPassword, { username, minimum: config.PASSWORD_MINIMUM, field })
  if (body.newPassword === body.currentPassword) {
    throw new Refusal('invalid-input', { field, sentence: 'Please choose a password other than the present one.' })
  }
  const key = `password:account:${userId}`
  await throttle(sql, { key, limit: config.LOGIN_ATTEMPTS, windowSeconds: 300 })
  const wrong = new Refusal('wrong-password', { field: 'currentPassword' })
  if (!(await verifyPassword(password, body.currentPassword))) throw wrong
  await clearThrottle(sql, key)
  const next = await hashPassword(body.newPassword)
  await atomically(sql, async (tx) => {
    if (!(await replacePassword(tx, { userId, from: password, to: next }))) throw wrong
    await deleteSessionsOf(tx, { userId, except: undefined })
    await writeAudit(tx, { id: newId(), actor: `user:${userId}`, action: 'password.change', subject: userId, details: {} })
  })
  await session.start({ userId, provenBy: next })
  // Published last: this browser's own stream ends too, and must reconnect with its new session.
  await publish(sql, { name: 'sessions-ended', userIds: [userId] })
  return {}
}
