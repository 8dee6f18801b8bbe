import { createHmac, randomBytes } from 'node:crypto'
import { authenticatorCodeOf } from '#core/auth/recovery-code.ts'
import { usernameKey } from '#core/auth/credentials.ts'
import { Refusal } from '#core/refusal.ts'
import { writeAudit } from '#server/security/audit.ts'
import { stepOfCode } from '#server/auth/authenticator.ts'
import { verifyPassword } from '#server/auth/password.ts'
import type { Context } from '#server/context.ts'
import type { Queries } from '#server/db/statement.ts'
import { unseal } from '#server/kernel/sealed.ts'
import { clearThrottle, throttle, uncount, type Limit } from '#server/security/throttle.ts'
import type { Operator } from './operator.ts'
import {
  acceptStep,
  deleteSession,
  findBySession,
  findOperatorByName,
  insertSession,
  type Credentials,
} from './store.ts'

/** A working day, after which the operator must sign in again. */
export const SESSION_HOURS = 8

export const TERMINAL = 'terminal'

/**
 * `address`: of the browser, or `TERMINAL`, whose attempts are counted separately, so that a
 * stranger at the console's port cannot lock the terminal.
 */
type SigningIn = { name: string; password: string; code: string; address: string }

const SHORT_SECONDS = 300
const DAY_SECONDS = 86_400

/** Daily limit, as a multiple of the limit of five minutes. */
const WIDER = 10

/** Returns the token of the session. Failures are audited and counted. */
export async function signIn(
  context: Context,
  { name, password, code, address }: SigningIn,
): Promise<{ token: string; operator: Operator }> {
  const { sql, atomically, config, newId } = context
  const nameKey = usernameKey(name).slice(0, MOST_LETTERS)
  const [short, day] = limitsOf({ nameKey, address, attempts: config.LOGIN_ATTEMPTS })
  await throttle(sql, short, day)
  const found = await findOperatorByName(sql, nameKey)
  const matches = await verifyPassword(found?.password, password, address)
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const isIn = await atomically(async (tx) => {
    const isRight =
      found !== undefined && matches && (await spendCode(context, tx.sql, { found, code }))
    const actor = isRight ? `operator:${found.name}` : 'system'
    await writeAudit(tx, {
      id: newId(),
      actor,
      action: isRight ? 'operator.sign-in' : 'operator.sign-in-refused',
      subject: found?.name ?? nameKey,
      details: { address },
    })
    if (isRight)
      await insertSession(tx.sql, {
        id: found.id,
        tokenHash: hashOf(config, token),
        hours: SESSION_HOURS,
      })
    return isRight
  })
  if (!isIn || found === undefined) throw new Refusal('wrong-credentials')
  await clearThrottle(sql, short.key)
  await uncount(sql, day.key)
  return { token, operator: { id: found.id, name: found.name, roles: found.roles } }
}

/** A typed name is cut to this length before it is stored. */
const MOST_LETTERS = 60
const TOKEN_BYTES = 32

/**
 * Threat: guesses from many addresses. A daily limit counts them together; the terminal has its
 * own.
 */
function limitsOf({
  nameKey,
  address,
  attempts,
}: {
  nameKey: string
  address: string
  attempts: number
}): [Limit, Limit] {
  const place = address === TERMINAL ? TERMINAL : 'pages'
  return [
    { key: `operator:${address}:${nameKey}`, limit: attempts, windowSeconds: SHORT_SECONDS },
    {
      key: `operator-day:${place}:${nameKey}`,
      limit: attempts * WIDER,
      windowSeconds: DAY_SECONDS,
    },
  ]
}

/**
 * Threat: somebody who can write to the database inserts a session. So the hash is keyed, with a
 * key outside the database.
 */
const hashOf = ({ SESSION_SECRET }: Context['config'], token: string): Buffer =>
  createHmac('sha256', SESSION_SECRET).update(`operator session ${token}`).digest()

/** Accepts each code once, and none older than the last one. */
async function spendCode(
  { config, now }: Context,
  tx: Queries,
  { found: { id, secretSealed }, code: typed }: { found: Credentials; code: string },
): Promise<boolean> {
  const secret = unseal({
    sealed: secretSealed,
    userId: id,
    secret: config.SESSION_SECRET,
    purpose: 'operators',
  })
  const code = authenticatorCodeOf(typed)
  const step = code === undefined ? undefined : stepOfCode({ secret, code, at: now() })
  return step !== undefined && acceptStep(tx, { id, step })
}

export async function operatorOfToken(
  { sql, config }: Pick<Context, 'sql' | 'config'>,
  token: string,
): Promise<Operator | undefined> {
  return findBySession(sql, hashOf(config, token))
}

export async function signOut(
  { sql, config }: Pick<Context, 'sql' | 'config'>,
  token: string,
): Promise<void> {
  await deleteSession(sql, hashOf(config, token))
}
