import { required } from '#core/assert.ts'
import type { Handler } from '#server/action.ts'
import { lockEmail } from './email-store.ts'
import { emailKey } from '#core/auth/credentials.ts'
import { Refusal } from '#core/refusal.ts'
import type { Queries } from '#server/db/statement.ts'
import { writeMail } from '#server/notices/notify.ts'
import { throttle } from '#server/security/throttle.ts'

export const sendVerification: Handler<'sendVerification'> = async ({ atomically }, { userId }) =>
  atomically(async ({ sql }) => {
    const { email, isVerified, pendingEmail } = required(
      await lockEmail(sql, userId),
      'a session has its user',
    )
    const waiting = isVerified ? pendingEmail : email
    if (waiting !== null) await askToVerify(sql, { userId, email: waiting })
    return {}
  })

/** Messages per hour to one address, and per hour and day by one user. */
const MOST = { toAddress: 3, byUser: 5, byUserInDay: 15 }
const HOUR_SECONDS = 3_600

type Recipient = { userId: string; email: string }

/**
 * Does the same work whether or not another account has the address. Threat: mail to strangers.
 * Above the limits no message is written, but the answer stays the same.
 */
export async function askToVerify(tx: Queries, { userId, email }: Recipient): Promise<void> {
  if (await mayWrite(tx, { userId, email }))
    await writeMail(tx, { userId, kind: 'verify-email', address: email })
}

async function mayWrite(tx: Queries, { userId, email }: Recipient): Promise<boolean> {
  try {
    await throttle(
      tx,
      { key: `mail-by:${userId}`, limit: MOST.byUser, windowSeconds: HOUR_SECONDS },
      { key: `mail-by-day:${userId}`, limit: MOST.byUserInDay, windowSeconds: 24 * HOUR_SECONDS },
      { key: `mail:${emailKey(email)}`, limit: MOST.toAddress, windowSeconds: HOUR_SECONDS },
    )
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}
