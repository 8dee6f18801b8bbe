import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Pair } from '#core/market/pair.ts'
import type { Units } from '#core/money/amount.ts'
import type { MarketSource } from '#server/exchange/market-source.ts'
import { retryDelayMs } from '#server/exchange/open-exchange.ts'
import type { Quote } from '#server/ports/feed.ts'
import { ASK_AFTER, DROP_AFTER, type LiveTimings } from './live-timings.ts'

export type LatestPrices = {
  quotes: Map<Pair, Quote>
  connected: boolean
  attempts: number
  updates: number
}

export type PriceFollowing = {
  source: MarketSource
  pairs: readonly Pair[]
  latest: LatestPrices
  timings: LiveTimings
  /** Market time. */
  nowMs: () => number
  random: () => number
  log: FastifyBaseLogger
}

/** A connection that lasts this many expected intervals resets the count of failures. */
const GOOD_AFTER = 3

/**
 * Keeps a connection until `signal` aborts it, and reconnects after growing delays. The watchdog
 * drops a connection that delivers nothing.
 */
export async function followPrices(following: PriceFollowing, signal: AbortSignal): Promise<void> {
  const { source, latest, timings, nowMs, random, log } = following
  const connection: Connection = { beganMs: nowMs(), lastPrices: new Map() }
  const watchdog = startWatchdog(following, connection)
  signal.addEventListener('abort', source.drop, { once: true })
  let failures = 0
  while (!signal.aborted) {
    connection.beganMs = nowMs()
    connection.lastPrices.clear()
    connection.isDropped = false
    latest.attempts += 1
    try {
      await source.watch((pair, price) => {
        connection.lastPrices.set(pair, { price, atMs: nowMs() })
        latest.connected = true
        keep(following, pair, price)
      })
    } catch (error) {
      if (!signal.aborted)
        log.warn({ err: error }, 'the connection to the exchange was lost; reconnecting')
    }
    latest.connected = false
    failures =
      nowMs() - connection.beganMs > GOOD_AFTER * timings.expectedIntervalMs &&
      connection.lastPrices.size > 0
        ? 1
        : failures + 1
    await delay(retryDelayMs({ failures, random: random() }), undefined, { signal }).catch(
      () => undefined,
    )
    if (!signal.aborted) await reload(following)
  }
  signal.removeEventListener('abort', source.drop)
  clearInterval(watchdog)
}

/** An exchange may refuse the whole subscription for one symbol that it removed. */
async function reload({ source, log }: PriceFollowing): Promise<void> {
  try {
    await source.load()
  } catch (error) {
    log.debug({ err: error }, 'the exchange did not return its markets; those known are watched')
  }
}

/** `lastPrices`: those that this connection delivered. */
type Connection = { beganMs: number; lastPrices: Map<Pair, Quote>; isDropped?: boolean }

function keep({ latest, nowMs }: PriceFollowing, pair: Pair, price: Units): void {
  latest.quotes.set(pair, { price, atMs: nowMs() })
  latest.updates += 1
}

/**
 * Checks four times per expected interval. A socket can answer pings and deliver no price for
 * hours.
 */
function startWatchdog(following: PriceFollowing, connection: Connection): NodeJS.Timeout {
  const { pairs, latest, timings, nowMs, log } = following
  const { expectedIntervalMs } = timings
  let askedMs = Number.NEGATIVE_INFINITY
  const look = (): void => {
    if (pairs.every((pair) => isSilent(following, connection, pair)))
      drop(following, connection, 'it is silent')
    const quiet = pairs.filter(
      (pair) =>
        nowMs() - (latest.quotes.get(pair)?.atMs ?? connection.beganMs) >
        ASK_AFTER * expectedIntervalMs,
    )
    if (quiet.length === 0 || nowMs() - askedMs < expectedIntervalMs) return
    askedMs = nowMs()
    askFor(following, connection, quiet).catch((error: unknown) =>
      log.debug({ err: error }, 'the exchange did not return requested prices'),
    )
  }
  return setInterval(look, expectedIntervalMs / 4).unref()
}

function isSilent({ timings, nowMs }: PriceFollowing, connection: Connection, pair: Pair): boolean {
  return (
    nowMs() - Math.max(connection.lastPrices.get(pair)?.atMs ?? 0, connection.beganMs) >
    DROP_AFTER * timings.expectedIntervalMs
  )
}

/** Polls quiet pairs. A price that moved without an update shows that the connection is stale. */
async function askFor(
  following: PriceFollowing,
  connection: Connection,
  quiet: readonly Pair[],
): Promise<void> {
  const prices = await following.source.prices(quiet)
  const moved = [...prices].find(([pair, price]) => {
    const received = connection.lastPrices.get(pair)
    return (
      received !== undefined && received.price !== price && isSilent(following, connection, pair)
    )
  })
  for (const [pair, price] of prices) keep(following, pair, price)
  if (moved !== undefined)
    drop(following, connection, `it is silent on ${moved[0]}, whose price moved`)
}

function drop({ source, log }: PriceFollowing, connection: Connection, why: string): void {
  if (connection.isDropped) return
  connection.isDropped = true
  log.warn({ why }, 'dropped the connection to the exchange')
  source.drop()
}
