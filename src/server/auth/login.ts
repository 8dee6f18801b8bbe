import { usernameKey } from '#core/auth/credentials.ts'
import { Refusal } from '#core/refusal.ts'
import type { Handler } from '#server/action.ts'
import type { Queries } from '#server/db/statement.ts'
import { clearThrottle, throttle, uncount, type Limit } from '#server/throttle.ts'
import { readUser } from './get-user.ts'
import { verifyPassword } from './password.ts'
import { findCredentials } from './store.ts'

const SHORT_SECONDS = 300
const DAY_SECONDS = 86_400

/** The cap of a day, and what one address may try on all accounts in five minutes, as multiples of what it may try on one. */
const WIDER = 10

export const login: Handler<'login'> = async ({ sql, config }, { body, client, session }) => {
  const name = usernameKey(body.username)
  const credentials = await findCredentials(sql, name)
  const device = credentials && session.knownDevice({ userId: credentials.id, provenBy: credentials.password })
  const limits = limitsOf({ name, address: client.address, device, attempts: config.LOGIN_ATTEMPTS })
  await throttle(sql, ...limits)
  const matches = await verifyPassword(credentials?.password, body.password)
  if (!credentials || !matches) throw new Refusal('wrong-credentials')
  await session.start({ userId: credentials.id, provenBy: credentials.password })
  await forgive(sql, limits)
  return readUser(sql, credentials.id)
}

type Attempt = { name: string; address: string; device: string | undefined; attempts: number }

/**
 * Threat: a count by account alone lets any stranger who knows a name shut its owner out. So strangers are counted by account and address
 * together, with a cap per account and day against many addresses; a browser that signed in before is counted apart from all of them.
 */
function limitsOf({ name, address, device, attempts }: Attempt): [Limit, ...Limit[]] {
  if (device !== undefined) {
    return [
      { key: `login:device:${device}`, limit: attempts, windowSeconds: SHORT_SECONDS },
      { key: `login:device-day:${device}`, limit: attempts * WIDER, windowSeconds: DAY_SECONDS },
    ]
  }
  return [
    { key: `login:account:${name}:${address}`, limit: attempts, windowSeconds: SHORT_SECONDS },
    { key: `login:account-day:${name}`, limit: attempts * WIDER, windowSeconds: DAY_SECONDS },
    { key: `login:address:${address}`, limit: attempts * WIDER, windowSeconds: SHORT_SECONDS },
  ]
}

/** The right password clears the wrong ones before it, and counts as no guess under the wider limits. */
async function forgive(sql: Queries, [narrow, ...wider]: readonly [Limit, ...Limit[]]): Promise<void> {
  await clearThrottle(sql, narrow.key)
  for (const { key } of wider) await uncount(sql, key)
}
