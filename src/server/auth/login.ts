import { usernameKey } from '#core/auth/credentials.ts'
import { Refusal } from '#core/refusal.ts'
import { changeAccount, type SignInAccount } from '#server/security/account-seal.ts'
import type { Handler } from '#server/action.ts'
import type { Context } from '#server/context.ts'
import type { Queries } from '#server/db/statement.ts'
import { rememberLanguage } from '#server/notices/notify.ts'
import { clearThrottle, throttle, uncount, type Limit } from '#server/security/throttle.ts'
import { countFactors } from './factor-store.ts'
import { hasFactor, methodsWith, refusalWith } from './factors.ts'
import { readUser } from './get-user.ts'
import { hashPassword, isOutdated, verifyPassword } from './password.ts'
import { reportSignIn } from './known-device.ts'
import { findCredentials, replacePassword } from './store.ts'
import { spendCode } from './authenticator.ts'

const SHORT_SECONDS = 300
const DAY_SECONDS = 86_400

/**
 * The limits per day, and the limit of one address in five minutes, are this multiple of the limit
 * of one account.
 */
const WIDER = 10

export const login: Handler<'login'> = async (context, { body, client, session }) => {
  const { sql, config } = context
  const name = usernameKey(body.username)
  const credentials = await findCredentials(context, name)
  const device =
    credentials && session.knownDevice({ userId: credentials.id, provenBy: credentials.password })
  const limits = limitsOf({
    name,
    address: client.address,
    device,
    attempts: config.LOGIN_ATTEMPTS,
  })
  await throttle(sql, ...limits)
  const matches = await verifyPassword(credentials?.password, body.password, client.address)
  if (!credentials || !matches) throw new Refusal('wrong-credentials')
  await passSecondFactor(context, { account: credentials, code: body.code, limits })
  const proof = { userId: credentials.id, provenBy: credentials.password }
  await reportSignIn(context, { session, client }, proof)
  await session.start({
    ...proof,
    provenBy: await renewHash(context, {
      ...proof,
      password: body.password,
      address: client.address,
    }),
  })
  await forgive(sql, limits)
  await rememberLanguage(sql, credentials.id)
  return readUser(sql, credentials.id)
}

type Verified = { userId: string; provenBy: string; password: string; address: string }

/**
 * Replaces a hash with outdated parameters, which is possible only at a sign-in, when the password
 * is known. Returns the stored hash.
 */
async function renewHash(
  context: Context,
  { userId, provenBy: from, password, address }: Verified,
): Promise<string> {
  if (!isOutdated(from)) return from
  const to = await hashPassword(password, address)
  return (await changeAccount(context, userId, ({ sql }) =>
    replacePassword(sql, { userId, from, to }),
  ))
    ? to
    : from
}

type Passing = {
  account: SignInAccount & { id: string }
  code: string | undefined
  limits: readonly Limit[]
}

/**
 * Threat: somebody who knows the password guesses codes. So with a second factor, the right
 * password neither counts as a guess nor clears the count; otherwise each sign-in would reset the
 * count of guessed codes.
 */
async function passSecondFactor(
  context: Context,
  { account, code, limits }: Passing,
): Promise<void> {
  const { sql, atomically } = context
  const userId = account.id
  const methods = methodsWith(account, await countFactors(sql, userId))
  if (!hasFactor(methods)) return
  if (code === undefined) {
    for (const { key } of limits) await uncount(sql, key)
    throw refusalWith('second-factor-required', methods)
  }
  const used = await atomically((tx) => spendCode(context, tx, { userId, code }))
  if (used === undefined) throw new Refusal('wrong-code', { field: 'code' })
}

type Attempt = { name: string; address: string; device: string | undefined; attempts: number }

/**
 * Threat: a stranger locks an owner out, if guesses are counted by account alone. So strangers are
 * counted by account and address together, with a daily limit per account. A known browser is
 * counted separately.
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

async function forgive(
  sql: Queries,
  [narrow, ...wider]: readonly [Limit, ...Limit[]],
): Promise<void> {
  await clearThrottle(sql, narrow.key)
  for (const { key } of wider) await uncount(sql, key)
}
