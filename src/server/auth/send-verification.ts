import { required } from '#core/assert.ts'
import type { Handler } from '#server/action.ts'
import { atomically } from '#server/db/atomically.ts'
import { askToVerify } from './ask-to-verify.ts'
import { lockEmail } from './email-store.ts'

/** Sends the link for the address that waits for its verification once more. */
export const sendVerification: Handler<'sendVerification'> = async ({ sql }, { userId }) =>
  atomically(sql, async (tx) => {
    const { email, isVerified, pendingEmail } = required(
      await lockEmail(tx, userId),
      'a session has its user',
    )
    const waiting = isVerified ? pendingEmail : email
    if (waiting !== null) await askToVerify(tx, { userId, email: waiting })
    return {}
  })
