import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Pair } from '#core/market/pair.ts'
import type { Units } from '#core/money/amount.ts'
import type { MarketSource } from '#server/exchange/market-source.ts'
import { retryDelayMs } from '#server/exchange/retry.ts'
import type { Quote } from '#server/ports/feed.ts'
import { ASK_AFTER, DROP_AFTER, type LiveTimings } from './live-timings.ts'

/** What is known of the prices of the moment, and of the line that they come on. */
export type HeardPrices = {
  quotes: Map<Pair, Quote>
  connected: boolean
  attempts: number
  updates: number
}

export type PriceFollowing = {
  source: MarketSource
  pairs: readonly Pair[]
  heard: HeardPrices
  timings: LiveTimings
  /** Market time. */
  nowMs: () => number
  random: () => number
  log: FastifyBaseLogger
}

/** A line that held for so many expected intervals was a good one: the next failure is the first again. */
const GOOD_AFTER = 3

/**
 * Keeps a connection to the exchange until `signal` ends it. A line that breaks is made again after a growing wait; a line that says
 * nothing, though it answers pings, is dropped by the watchdog.
 */
export async function followPrices(following: PriceFollowing, signal: AbortSignal): Promise<void> {
  const { source, heard, timings, nowMs, random, log } = following
  const line: Line = { beganMs: nowMs(), lastTold: new Map() }
  const watchdog = startWatchdog(following, line)
  signal.addEventListener('abort', source.drop, { once: true })
  let failures = 0
  while (!signal.aborted) {
    line.beganMs = nowMs()
    line.lastTold.clear()
    line.isDropped = false
    heard.attempts += 1
    try {
      await source.watch((pair, price) => {
        line.lastTold.set(pair, { price, atMs: nowMs() })
        heard.connected = true
        hear(following, pair, price)
      })
    } catch (error) {
      if (!signal.aborted) log.warn({ err: error }, 'the line to the exchange broke; it is made again')
    }
    heard.connected = false
    failures = nowMs() - line.beganMs > GOOD_AFTER * timings.expectedIntervalMs && line.lastTold.size > 0 ? 1 : failures + 1
    await delay(retryDelayMs({ failures, random: random() }), undefined, { signal }).catch(() => undefined)
  }
  signal.removeEventListener('abort', source.drop)
  clearInterval(watchdog)
}

/** One connection: since when, and what it told last of each pair. */
type Line = { beganMs: number; lastTold: Map<Pair, Quote>; isDropped?: boolean }

function hear({ heard, nowMs }: PriceFollowing, pair: Pair, price: Units): void {
  heard.quotes.set(pair, { price, atMs: nowMs() })
  heard.updates += 1
}

/** Looks four times an expected interval. Pings prove nothing: a socket can answer them and tell no price for hours. */
function startWatchdog(following: PriceFollowing, line: Line): NodeJS.Timeout {
  const { pairs, heard, timings, nowMs, log } = following
  const { expectedIntervalMs } = timings
  let askedMs = Number.NEGATIVE_INFINITY
  const look = (): void => {
    if (pairs.every((pair) => isSilent(following, line, pair))) drop(following, line, 'it is silent')
    const quiet = pairs.filter((pair) => nowMs() - (heard.quotes.get(pair)?.atMs ?? line.beganMs) > ASK_AFTER * expectedIntervalMs)
    if (quiet.length === 0 || nowMs() - askedMs < expectedIntervalMs) return
    askedMs = nowMs()
    askFor(following, line, quiet).catch((error: unknown) => log.debug({ err: error }, 'the exchange does not tell prices that it is asked for'))
  }
  return setInterval(look, expectedIntervalMs / 4).unref()
}

function isSilent({ timings, nowMs }: PriceFollowing, line: Line, pair: Pair): boolean {
  return nowMs() - Math.max(line.lastTold.get(pair)?.atMs ?? 0, line.beganMs) > DROP_AFTER * timings.expectedIntervalMs
}

/** A quiet market may just be quiet: it is asked. One whose price moved without a word from the line shows that the line is deaf. */
async function askFor(following: PriceFollowing, line: Line, quiet: readonly Pair[]): Promise<void> {
  const prices = await following.source.prices(quiet)
  const deaf = [...prices].find(([pair, price]) => {
    const told = line.lastTold.get(pair)
    return told !== undefined && told.price !== price && isSilent(following, line, pair)
  })
  for (const [pair, price] of prices) hear(following, pair, price)
  if (deaf !== undefined) drop(following, line, `it is silent on ${deaf[0]}, whose price moved`)
}

function drop({ source, log }: PriceFollowing, line: Line, why: string): void {
  if (line.isDropped) return
  line.isDropped = true
  log.warn({ why }, 'the line to the exchange is dropped')
  source.drop()
}
