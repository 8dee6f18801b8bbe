import { usernameKey } from '#core/auth/credentials.ts'
import { Refusal } from '#core/refusal.ts'
import type { Handler } from '#server/action.ts'
import { clearThrottle, throttle } from '#server/throttle.ts'
import { readUser } from './get-user.ts'
import { verifyPassword } from './password.ts'
import { findCredentials } from './store.ts'

export const login: Handler<'login'> = async ({ sql, config }, { body, client, session }) => {
  const name = usernameKey(body.username)
  const accountKey = `login:account:${name}`
  await throttle(sql, { key: accountKey, limit: config.LOGIN_ATTEMPTS, windowSeconds: 300 })
  await throttle(sql, { key: `login:address:${client.address}`, limit: config.LOGIN_ATTEMPTS * 10, windowSeconds: 300 })
  const credentials = await findCredentials(sql, name)
  const matches = await verifyPassword(credentials?.password, body.password)
  if (!credentials || !matches) throw new Refusal('wrong-credentials')
  await clearThrottle(sql, accountKey)
  await session.start({ userId: credentials.id, provenBy: credentials.password })
  return readUser(sql, credentials.id)
}
