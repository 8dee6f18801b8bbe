import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { MarketSource } from '#server/exchange/market-source.ts'
import { retryDelayMs } from '#server/exchange/retry.ts'
import type { LiveTimings } from './live-timings.ts'

/** The exchange's time, told by the machine's clock and how far that was off when both were last compared. */
export type ExchangeClock = {
  nowMs: () => number
  /** How far the machine is behind the exchange; undefined while nobody measured it. */
  offsetMs: () => number | undefined
  /** The machine's clock was measured and is not too far off. */
  isBelieved: () => boolean
  /** Compares both clocks once. */
  measure: () => Promise<void>
  /** Compares them now and then until `signal` ends it. */
  keep: (signal: AbortSignal) => Promise<void>
}

/** Exchanges tell whole seconds and answers take a moment: a smaller difference is noise, and market time would go to and fro with it. */
const TOLERANCE_MS = 2_000

type Options = { source: MarketSource; timings: LiveTimings; now: () => Date; random: () => number; log: FastifyBaseLogger }

export function openExchangeClock({ source, timings, now, random, log }: Options): ExchangeClock {
  let offsetMs: number | undefined
  const isBelieved = (): boolean => offsetMs !== undefined && Math.abs(offsetMs) <= timings.mostSkewMs
  const measure = async () => {
    const beforeMs = now().getTime()
    const theirsMs = await source.timeMs()
    // The answer was made somewhere between the question and now.
    const oursMs = (beforeMs + now().getTime()) / 2
    const [wasMeasured, wasBelieved] = [offsetMs !== undefined, isBelieved()]
    const measuredMs = Math.round(theirsMs - oursMs)
    if (offsetMs === undefined || Math.abs(measuredMs - offsetMs) > TOLERANCE_MS) offsetMs = measuredMs
    if (wasMeasured && wasBelieved === isBelieved()) return
    if (!isBelieved()) log.error({ offsetMs }, "this machine's clock is too far off the exchange's: no orders are sent until it is set right")
    else log.info({ offsetMs }, "this machine's clock agrees with the exchange's")
  }
  return {
    nowMs: () => now().getTime() + (offsetMs ?? 0),
    offsetMs: () => offsetMs,
    isBelieved,
    measure,
    keep: async (signal) => {
      let failures = 0
      while (!signal.aborted) {
        const waitMs = failures === 0 ? timings.clockEveryMs : retryDelayMs({ failures, random: random() })
        await delay(waitMs, undefined, { signal }).catch(() => undefined)
        if (signal.aborted) return
        try {
          await measure()
          failures = 0
        } catch {
          // The last reading holds; prices that go stale stop orders long before it is wrong.
          failures += 1
        }
      }
    },
  }
}
