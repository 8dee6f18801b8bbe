import { setTimeout as delay } from 'node:timers/promises'
import type { Context } from '#server/context.ts'
import { tryLock } from '#server/db/session.ts'
import { listenForWake } from '#server/events/bus.ts'
import { StartupError } from '#server/startup-error.ts'
import { openEngine, runEngine } from './engine.ts'

/** Arbitrary, but the same in all processes on one database. */
const LEADER_LOCK = 4_815_162_342n
const RETRY_MS = 500

/** Tries to lead the engine until `signal` ends it: one process leads, and another takes over within seconds after it ends. */
export async function leadEngine(context: Context, signal: AbortSignal): Promise<void> {
  const wake = openWake()
  const stop = await listenForWake(context.events, wake.ring)
  while (!signal.aborted) {
    try {
      await leadOnce(context, { signal, woken: wake.woken })
    } catch (error) {
      if (error instanceof StartupError) throw error
      context.log.error({ err: error }, 'the engine lost its lead; retrying')
    }
    await delay(RETRY_MS, undefined, { signal }).catch(() => undefined)
  }
  await stop()
}

/** The lock belongs to a dedicated session: losing that session loses the lead. */
async function leadOnce(context: Context, { signal, woken }: { signal: AbortSignal; woken: () => Promise<void> }): Promise<void> {
  const lock = await tryLock(context.sql, LEADER_LOCK)
  if (!lock) return
  const lost = new AbortController()
  void lock.lost.then(() => lost.abort())
  try {
    const engine = await openEngine(context)
    await runEngine(context, engine, { speed: context.speed, signal: AbortSignal.any([signal, lost.signal]), woken })
  } finally {
    await lock.release()
  }
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
