import { required } from '#core/assert.ts'
import { Refusal } from '#core/refusal.ts'
import { waitText } from '#words/wait-text.ts'
import type { Queries } from '#server/db/statement.ts'

/** At most `limit` attempts under `key` in one window of `windowSeconds`, which begins with the first of them. */
export type Limit = { key: string; limit: number; windowSeconds: number }

/**
 * Counts an attempt under every limit, and refuses it if one is used up. A refused attempt counts under none, so that somebody who goes on
 * trying at a short limit does not use up a long one. The counts are stored in the database: they apply to all processes and survive restarts.
 */
export async function throttle(sql: Queries, ...limits: readonly Limit[]): Promise<void> {
  if (limits.length > 1) refuseUsedUp(await Promise.all(limits.map((limit) => waitBefore(sql, limit))))
  const waits: number[] = []
  for (const limit of limits) waits.push(await count(sql, limit))
  // Attempts at the same moment all passed the first look.
  refuseUsedUp(waits)
}

/** Seconds until the next attempt is allowed; 0 if it is allowed now. */
async function waitBefore(sql: Queries, { key, limit, windowSeconds }: Limit): Promise<number> {
  const [row] = await sql<{ wait: number }[]>`
    select extract(epoch from window_start - now())::float8 + ${windowSeconds}::integer as wait from throttles where key = ${key} and attempts >= ${limit}`
  return Math.max(0, row?.wait ?? 0)
}

async function count(sql: Queries, { limit, ...window }: Limit): Promise<number> {
  const { attempts, wait } = await add(sql, window)
  return attempts > limit ? wait : 0
}

async function add(sql: Queries, { key, windowSeconds }: Omit<Limit, 'limit'>): Promise<{ attempts: number; wait: number }> {
  const [row] = await sql<{ attempts: number; wait: number }[]>`
    insert into throttles (key, window_start, attempts) values (${key}, now(), 1)
    on conflict (key) do update
      set attempts = case when throttles.window_start < now() - ${windowSeconds} * interval '1 second' then 1 else throttles.attempts + 1 end,
          window_start = case when throttles.window_start < now() - ${windowSeconds} * interval '1 second' then now() else throttles.window_start end
    returning attempts, extract(epoch from window_start - now())::float8 + ${windowSeconds}::integer as wait`
  return required(row, 'a count has its row')
}

function refuseUsedUp(waits: readonly number[]): void {
  const longest = Math.max(...waits)
  if (longest > 0) throw tooManyAttempts(longest)
}

/** The refusal with the true waiting time, in its sentence and for the header `Retry-After`. */
export function tooManyAttempts(waitSeconds: number): Refusal {
  return new Refusal('too-many-attempts', { values: { wait: waitText(waitSeconds), seconds: String(Math.ceil(waitSeconds)) } })
}

/** Counts an attempt without refusing it, and returns its number in the window. */
export async function countAttempt(sql: Queries, window: Omit<Limit, 'limit'>): Promise<number> {
  return (await add(sql, window)).attempts
}

/** Resets the count of `key`: a correct password clears earlier wrong ones. */
export async function clearThrottle(sql: Queries, key: string): Promise<void> {
  await sql`delete from throttles where key = ${key}`
}

/** Takes one attempt off the count of `key`: it turned out not to be a guess. */
export async function uncount(sql: Queries, key: string): Promise<void> {
  await sql`update throttles set attempts = attempts - 1 where key = ${key} and attempts > 0`
}
