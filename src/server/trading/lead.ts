import { setImmediate as breathe, setTimeout as delay } from 'node:timers/promises'
import { HOUR_MS } from '#core/market/candle.ts'
import type { Context } from '#server/context.ts'
import { tryLock } from '#server/db/session.ts'
import { listenForWake } from '#server/events/bus.ts'
import { findClock } from '#server/market/clock.ts'
import { StartupError } from '#server/kernel/errors.ts'
import { marketOf, openEngine, type Engine } from './engine.ts'
import type { Market } from './engine-market.ts'

/** Arbitrary, but the same in all processes on one database. */
const LEADER_LOCK = 4_815_162_342n
const RETRY_MS = 250

/**
 * Tries to lead until `signal` ends it. Another process takes over within seconds after a leader
 * ends.
 */
export async function leadEngine(context: Context, signal: AbortSignal): Promise<void> {
  const wake = openWake()
  const market = marketOf(context)
  let stop: (() => Promise<void>) | undefined
  while (!signal.aborted) {
    try {
      stop ??= await listenForWake(context.events, wake.ring)
      const hasLed = await leadOnce(context, { market, signal, woken: wake.woken })
      if (!hasLed) await prepare(context, market)
    } catch (error) {
      if (error instanceof StartupError) throw error
      context.log.error({ err: error }, 'the engine lost its lead; retrying')
    }
    await delay(RETRY_MS, undefined, { signal }).catch(() => undefined)
  }
  await stop?.()
}

/** Processes the past candles, which takes seconds, so that a takeover is quick. */
async function prepare({ sql, feed }: Context, market: Market): Promise<void> {
  const clock = await findClock(sql)
  if (!clock) return
  for (const pair of feed.pairs) {
    market.prepare(pair, clock.marketTime.getTime())
    await breathe()
  }
}

type Attempt = { market: Market; signal: AbortSignal; woken: () => Promise<void> }

/** Leads while the session holds the lock. Returns whether this process led. */
async function leadOnce(context: Context, { market, signal, woken }: Attempt): Promise<boolean> {
  const lock = await tryLock(context.sql, LEADER_LOCK)
  if (!lock) return false
  const lost = new AbortController()
  void lock.lost.then(() => lost.abort())
  try {
    const engine = await openEngine(context, market)
    await runEngine(context, engine, {
      speed: context.speed,
      signal: AbortSignal.any([signal, lost.signal]),
      woken,
    })
  } finally {
    await lock.release()
  }
  return true
}

/** A signal that is not lost if it is given before anybody waits. */
function openWake(): { ring: () => void; woken: () => Promise<void> } {
  let rung = false
  let answer: (() => void) | undefined
  return {
    ring: () => {
      rung = true
      answer?.()
    },
    woken: async () => {
      if (!rung) await new Promise<void>((resolve) => (answer = resolve))
      rung = false
    },
  }
}

const PULSE_MS = 1_000

/** Real time per pulse for returning money. */
const SERVING_MS = 500

/**
 * Market hours that one pulse may catch up. After a longer pause the clock skips time, but no
 * candle is missed.
 */
const MOST_HOURS_A_PULSE = 12

/**
 * Runs an engine in real time until `signal` ends it. Failures are logged and retried at the next
 * pulse.
 */
export async function runEngine(
  context: Context,
  engine: Engine,
  { speed, signal, woken }: EngineRun,
): Promise<void> {
  let lastMs = context.now().getTime()
  let dueMs = 0
  while (!signal.aborted) {
    const nowMs = context.now().getTime()
    dueMs = Math.min(dueMs + (nowMs - lastMs) * speed, MOST_HOURS_A_PULSE * HOUR_MS)
    lastMs = nowMs
    const beforeMs = engine.nowMs()
    try {
      await engine.serve(SERVING_MS)
      await engine.advanceTo(context.feed.live?.nowMs() ?? beforeMs + dueMs)
    } catch (error) {
      context.log.error({ err: error }, 'the engine failed; retrying')
    }
    dueMs = Math.max(0, dueMs - (engine.nowMs() - beforeMs))
    await Promise.race([delay(PULSE_MS, undefined, { signal }).catch(() => undefined), woken()])
  }
}

type EngineRun = {
  speed: number
  signal: AbortSignal
  /** Resolves when a bot needs the engine. */
  woken: () => Promise<void>
}
