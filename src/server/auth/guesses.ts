import type { Queries } from '#server/db/statement.ts'
import { clearThrottle, throttle, uncount } from '#server/throttle.ts'

const SHORT_SECONDS = 300
const DAY_SECONDS = 86_400

/** The cap of a day, as a multiple of what is allowed in five minutes. */
const WIDER = 10

const keysOf = (userId: string) => ({ short: `password:account:${userId}`, day: `password:account-day:${userId}` })

/** Threat: somebody with an open session guesses the password or a code. Counted for all actions that ask for one together. */
export async function countGuess(sql: Queries, { userId, attempts }: { userId: string; attempts: number }): Promise<void> {
  const { short, day } = keysOf(userId)
  await throttle(sql, { key: short, limit: attempts, windowSeconds: SHORT_SECONDS }, { key: day, limit: attempts * WIDER, windowSeconds: DAY_SECONDS })
}

/** A right answer clears the wrong ones before it, and does not count under the cap of the day. */
export async function forgiveGuesses(sql: Queries, userId: string): Promise<void> {
  const { short, day } = keysOf(userId)
  await clearThrottle(sql, short)
  await uncount(sql, day)
}
