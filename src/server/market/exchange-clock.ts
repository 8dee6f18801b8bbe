import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { type MarketSource, measureSkew } from '#server/exchange/market-source.ts'
import { retryDelayMs } from '#server/exchange/open-exchange.ts'
import type { LiveTimings } from './live-timings.ts'

/** The machine's clock plus its last measured offset to the exchange. */
export type ExchangeClock = {
  nowMs: () => number
  /**
   * Milliseconds by which the machine's clock is behind; undefined before the first measurement.
   */
  offsetMs: () => number | undefined
  /** Whether the machine's clock was measured and is close enough. */
  isBelieved: () => boolean
  measure: () => Promise<void>
  /** Like `isBelieved`, but measures first if there is no measurement. */
  check: () => Promise<boolean>
  /** Measures periodically until `signal` ends it. */
  keep: (signal: AbortSignal) => Promise<void>
}

/** Smaller differences are ignored, because some exchanges report whole seconds. */
const TOLERANCE_MS = 1_000

type Options = {
  source: MarketSource
  timings: LiveTimings
  now: () => Date
  random: () => number
  log: FastifyBaseLogger
}

export function openExchangeClock({ source, timings, now, random, log }: Options): ExchangeClock {
  let offsetMs: number | undefined
  const isBelieved = (): boolean =>
    offsetMs !== undefined && Math.abs(offsetMs) <= timings.mostSkewMs
  const measure = async () => {
    const measuredMs = await measureSkew(source, now)
    const [wasMeasured, wasBelieved] = [offsetMs !== undefined, isBelieved()]
    if (offsetMs === undefined || Math.abs(measuredMs - offsetMs) > TOLERANCE_MS)
      offsetMs = measuredMs
    if (wasMeasured && wasBelieved === isBelieved()) return
    if (!isBelieved())
      log.error(
        { offsetMs },
        "this machine's clock differs too much from the exchange's: no orders are sent until " +
          'it is corrected',
      )
    else log.info({ offsetMs }, "this machine's clock agrees with the exchange's")
  }
  return {
    nowMs: () => now().getTime() + (offsetMs ?? 0),
    offsetMs: () => offsetMs,
    isBelieved,
    measure,
    check: async () => {
      if (offsetMs === undefined) await measure().catch(() => undefined)
      return isBelieved()
    },
    keep: async (signal) => {
      let failures = 0
      while (!signal.aborted) {
        const waitMs =
          failures === 0 ? timings.clockEveryMs : retryDelayMs({ failures, random: random() })
        await delay(waitMs, undefined, { signal }).catch(() => undefined)
        if (signal.aborted) return
        try {
          await measure()
          failures = 0
        } catch {
          // The old offset stays: stale prices stop orders long before it becomes wrong.
          failures += 1
        }
      }
    },
  }
}
