import { Refusal } from '#core/refusal.ts'
import { readAccount } from '#server/security/account-seal.ts'
import type { Handler } from '#server/action.ts'
import { throttle, uncount } from '#server/security/throttle.ts'
import { readUser } from './get-user.ts'
import { checkPasskey, PURPOSES, userOfHandle } from './passkey.ts'
import { reportSignIn } from './known-device.ts'

const WINDOW_SECONDS = 300

/** Limit of one address in five minutes, as a multiple of the limit of one account. */
const WIDER = 10

/**
 * A passkey alone signs in, because the device has verified its owner. Threat: enumeration. An
 * unknown user, an unknown passkey and a wrong signature get the same answer.
 */
export const loginWithPasskey: Handler<'loginWithPasskey'> = async (
  context,
  { body: { passkey }, client, session },
) => {
  const { sql, atomically, config } = context
  const key = `login:passkey:${client.address}`
  await throttle(sql, { key, limit: config.LOGIN_ATTEMPTS * WIDER, windowSeconds: WINDOW_SECONDS })
  const userId = userOfHandle(passkey.userHandle)
  const user = userId === undefined ? undefined : await readAccount(context, userId)
  if (userId === undefined || !user) throw new Refusal('wrong-passkey')
  const checked = await checkPasskey(context, {
    userId,
    assertion: passkey,
    client,
    purpose: PURPOSES.signIn,
  })
  const isUsed = checked !== undefined && (await atomically(({ sql }) => checked.use(sql)))
  if (!isUsed) throw new Refusal('wrong-passkey')
  const proof = { userId, provenBy: user.password }
  await reportSignIn(context, { session, client }, proof)
  await session.start(proof)
  await uncount(sql, key)
  return readUser(sql, userId)
}
