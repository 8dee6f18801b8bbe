import { required } from '#core/assert.ts'
import { Refusal } from '#core/refusal.ts'
import { waitText } from '#words/wait-text.ts'
import { rows } from '#server/db/rows.ts'
import type { Queries } from '#server/db/statement.ts'

/**
 * At most `limit` attempts under `key` in a window of `windowSeconds`, which begins with the first
 * attempt.
 */
export type Limit = { key: string; limit: number; windowSeconds: number }

/**
 * Counts an attempt under every limit, and refuses it if one is used up. A refused attempt does not
 * count under later limits, so that repeated attempts at a short limit do not use up a long one.
 * The counts are stored in the database: they apply to all processes and survive restarts. Threat:
 * in a flood of refused attempts, each would occupy a connection while it waits for the row of its
 * key. So attempts under one key query the database one after the other, and a refusal is repeated
 * for a second without a query.
 */
export async function throttle(
  sql: Queries,
  ...limits: readonly [Limit, ...Limit[]]
): Promise<void> {
  repeatRefusal(limits)
  await inTurn(limits[0].key, () => {
    repeatRefusal(limits)
    return countAll(sql, limits)
  })
}

/**
 * Counts an attempt as `throttle` does, without refusing it. `left`: attempts in the window after
 * this one, below 0 if it is one too many; `wait`: seconds until the window ends.
 */
export async function allowance(
  sql: Queries,
  { limit, ...window }: Limit,
): Promise<{ left: number; wait: number }> {
  return inTurn(window.key, async () => {
    const known = repeatedWait(window.key)
    if (known > 0) return { left: -1, wait: known }
    const { attempts, wait } = await countAttempts(sql, { ...window, by: 1 })
    if (attempts > limit) remember(window.key, wait)
    return { left: limit - attempts, wait }
  })
}

async function countAll(sql: Queries, limits: readonly Limit[]): Promise<void> {
  if (limits.length > 1) refuseUsedUp(await waitsBefore(sql, limits))
  // Each count is checked again, because concurrent attempts may have passed the check above.
  for (const limit of limits) refuseUsedUp([await count(sql, limit)])
}

async function waitsBefore(sql: Queries, limits: readonly Limit[]): Promise<number[]> {
  const waits = await sql<{ key: string; wait: number }[]>`
    select t.key, extract(epoch from t.window_start - now())::float8 + given.window_seconds as wait
      from ${rows(limits, {
        key: 'text',
        most: ['integer', ({ limit }) => limit],
        window_seconds: 'integer',
      })}
      join throttles t on t.key = given.key and t.attempts >= given.most`
  return waits.map(({ key, wait }) => remember(key, wait))
}

async function count(sql: Queries, { limit, ...window }: Limit): Promise<number> {
  const { attempts, wait } = await countAttempts(sql, { ...window, by: 1 })
  return attempts > limit ? remember(window.key, wait) : 0
}

type Window = Omit<Limit, 'limit'>

/**
 * Counts an attempt without refusing it. Returns the count of the window, and the seconds until it
 * ends.
 */
export async function countAttempts(
  sql: Queries,
  { key, windowSeconds, by }: Window & { by: number },
): Promise<{ attempts: number; wait: number }> {
  const [row] = await sql<{ attempts: number; wait: number }[]>`
    insert into throttles (key, window_start, attempts) values (${key}, now(), ${by})
    on conflict (key) do update
      set attempts = case when throttles.window_start < now() - ${windowSeconds} *
          interval '1 second' then ${by} else throttles.attempts + ${by} end,
          window_start = case when throttles.window_start < now() - ${windowSeconds} *
                 interval '1 second' then now() else throttles.window_start end
    returning attempts, extract(epoch from window_start - now())::float8 + ${windowSeconds}::integer
              as wait`
  return required(row, 'a count has its row')
}

/** Time for which a refusal is cached. Short, because another process may reset the count. */
const REPEATED_MS = 1_000

/**
 * Maximum cached refusals; dropping one only costs a query. Threat: attempts under ever new keys
 * fill the memory.
 */
const MOST_REMEMBERED = 10_000

const usedUp = new Map<string, { endsMs: number; repeatedUntilMs: number }>()

function remember(key: string, waitSeconds: number): number {
  if (waitSeconds <= 0) return waitSeconds
  if (usedUp.size >= MOST_REMEMBERED) usedUp.clear()
  const nowMs = performance.now()
  const endsMs = nowMs + waitSeconds * 1_000
  usedUp.set(key, { endsMs, repeatedUntilMs: Math.min(endsMs, nowMs + REPEATED_MS) })
  return waitSeconds
}

function repeatRefusal(limits: readonly Limit[]): void {
  refuseUsedUp(limits.map(({ key }) => repeatedWait(key)))
}

/** Seconds to wait under a key that was used up a moment ago, else 0. */
function repeatedWait(key: string): number {
  const nowMs = performance.now()
  const { endsMs, repeatedUntilMs } = usedUp.get(key) ?? { endsMs: 0, repeatedUntilMs: 0 }
  return nowMs <= repeatedUntilMs ? (endsMs - nowMs) / 1_000 : 0
}

const lastOf = new Map<string, Promise<unknown>>()

async function inTurn<Result>(key: string, act: () => Promise<Result>): Promise<Result> {
  const done = (lastOf.get(key) ?? Promise.resolve()).then(act, act)
  lastOf.set(key, done)
  try {
    return await done
  } finally {
    if (lastOf.get(key) === done) lastOf.delete(key)
  }
}

function refuseUsedUp(waits: readonly number[]): void {
  const longest = Math.max(...waits)
  if (longest > 0) throw tooManyAttempts(longest)
}

/** The refusal with the true waiting time, in its sentence and for the header `Retry-After`. */
export function tooManyAttempts(waitSeconds: number): Refusal {
  return new Refusal('too-many-attempts', {
    values: { wait: waitText(waitSeconds), seconds: String(Math.ceil(waitSeconds)) },
  })
}

/** Resets the counts of `keys`, for example of wrong passwords after a correct one. */
export async function clearThrottle(sql: Queries, ...keys: readonly string[]): Promise<void> {
  await sql`delete from throttles where key = any(${keys})`
  for (const key of keys) usedUp.delete(key)
}

export async function uncount(sql: Queries, key: string): Promise<void> {
  await sql`update throttles set attempts = attempts - 1 where key = ${key} and attempts > 0`
  usedUp.delete(key)
}
