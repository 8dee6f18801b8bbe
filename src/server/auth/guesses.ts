import { Refusal } from '#core/refusal.ts'
import type { Context } from '#server/context.ts'
import type { Queries } from '#server/db/statement.ts'
import { clearThrottle, throttle, uncount } from '#server/security/throttle.ts'
import { verifyPassword } from './password.ts'

const SHORT_SECONDS = 300
const DAY_SECONDS = 86_400

/** Daily limit, as a multiple of the limit of five minutes. */
const WIDER = 10

const keysOf = (userId: string) => ({
  short: `password:account:${userId}`,
  day: `password:account-day:${userId}`,
})

/**
 * Counts a guess; all actions of a user share the count. Threat: somebody with an open session
 * guesses the password or a code.
 */
export async function countGuess(
  { sql, config: { LOGIN_ATTEMPTS: attempts } }: Pick<Context, 'sql' | 'config'>,
  userId: string,
): Promise<void> {
  const { short, day } = keysOf(userId)
  await throttle(
    sql,
    { key: short, limit: attempts, windowSeconds: SHORT_SECONDS },
    { key: day, limit: attempts * WIDER, windowSeconds: DAY_SECONDS },
  )
}

/**
 * Subtracts the guess that was counted for a right password. Threat: somebody who has the password
 * guesses codes. So only `forgiveGuesses` clears the count, once all factors were right.
 */
export async function uncountGuess(sql: Queries, userId: string): Promise<void> {
  for (const key of Object.values(keysOf(userId))) await uncount(sql, key)
}

/** Clears the count of wrong answers, but not the daily count. */
export async function forgiveGuesses(sql: Queries, userId: string): Promise<void> {
  await clearThrottle(sql, keysOf(userId).short)
}

type Typed = { userId: string; stored: string; typed: string; address: string }

/** Refuses a wrong current password, and counts it as a guess. */
export async function checkCurrentPassword(
  context: Pick<Context, 'sql' | 'config'>,
  { userId, stored, typed, address }: Typed,
): Promise<void> {
  await countGuess(context, userId)
  if (!(await verifyPassword(stored, typed, address)))
    throw new Refusal('wrong-password', { field: 'currentPassword' })
  await uncountGuess(context.sql, userId)
}
