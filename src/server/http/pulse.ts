import { setTimeout as delay } from 'node:timers/promises'
import type { Context } from '#server/context.ts'

/** The state of the market's clock and of the book, as monitors see it. */
export type Pulse = {
  marketTime: Date
  settledTime: Date
  ageSeconds: number
  unfinished: number
  haltedAt: Date | null
  brokenSeal: string | null
}

export async function readPulse({ reads }: Context): Promise<Pulse | undefined> {
  const [pulse] = await reads<Pulse[]>`
    select market_time, settled_time, extract(epoch from clock_timestamp() - updated_at)::float8
           as age_seconds,
           (select count(*)::integer from engine_blocks where state <> 'settled') as unfinished,
           halted_at,
           (select sentence from broken_seal) as broken_seal
      from market_clock`
  return pulse
}

/** Short, because health checks time out early: a slower database counts as down. */
const ANSWER_WITHIN_MS = 2_000

/** Undefined if the database is down: it refuses, fails or times out. */
export async function inTime<Result>(result: Promise<Result>): Promise<Result | undefined> {
  const silence = new AbortController()
  try {
    return await Promise.race([
      result,
      delay(ANSWER_WITHIN_MS, undefined, { signal: silence.signal }),
    ])
  } catch {
    return undefined
  } finally {
    silence.abort()
  }
}
