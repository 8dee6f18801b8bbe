import { pino } from 'pino'
import { onTestFinished } from 'vitest'
import type { CandleSeries } from '#core/market/candle-series.ts'
import { PAIRS, type Pair } from '#core/market/pair.ts'
import { openCandleArchive, type CandleArchive } from '#server/market/candle-archive.ts'
import { liveFeed } from '#server/market/feed-live.ts'
import type { LiveTimings } from '#server/market/live-timings.ts'
import type { Feed, LiveMarket } from '#server/ports/feed.ts'
import { createTestBook } from '../world/database.ts'
import { startExchange, type Exchange } from '../emulators/exchange.ts'
import type { ExchangeName } from '../emulators/exchange-state.ts'
import { until } from '../faults/processes.ts'

/**
 * Prices are expected every 400 ms in place of 10 s. All time-outs shrink in proportion, except the
 * second between two attempts.
 */
export const FAST: LiveTimings = {
  expectedIntervalMs: 400,
  closeMarginMs: 100,
  graceMs: 4_000,
  askAgainMs: 200,
  clockEveryMs: 500,
  mostSkewMs: 30_000,
}

/** Half past two in the afternoon, so that no hour closes until a test moves the clock. */
export const START_MS = Date.UTC(2026, 2, 10, 14, 30)
export const THIS_HOUR_MS = Date.UTC(2026, 2, 10, 14)

/**
 * A feed that follows the emulated exchange, whose markets all trade ten times in an expected
 * interval.
 */
export type LiveWorld = {
  exchange: Exchange
  feed: Feed
  live: LiveMarket
  store: CandleArchive
  /** The feed of another process, or of this one after a restart, on the same database. */
  again: () => Promise<{
    feed: Feed
    live: LiveMarket
    store: CandleArchive
    stop: () => Promise<void>
  }>
  stop: () => Promise<void>
  close: () => Promise<void>
}

/**
 * `now`: the machine's clock, by default the exchange's. `prepare` runs before the feed starts to
 * follow.
 */
export type LiveOptions = {
  name?: ExchangeName
  startMs?: number
  prepare?: (exchange: Exchange) => void
  follows?: boolean
  timings?: Partial<LiveTimings>
  now?: () => Date
  recorded?: (pair: Pair) => CandleSeries | undefined
}

export async function createLiveWorld({
  name = 'kraken',
  startMs,
  prepare,
  follows = true,
  timings = {},
  now: machine,
  recorded,
}: LiveOptions = {}): Promise<LiveWorld> {
  const database = await createTestBook()
  const exchange = await startExchange({ name, ...(startMs !== undefined && { startMs }) })
  prepare?.(exchange)
  const now = machine ?? (() => new Date(exchange.clock.nowMs()))
  const patience = { ...FAST, ...timings }
  const trading = setInterval(exchange.market.tradeAll, patience.expectedIntervalMs / 10)
  const log = pino({ level: process.env['TEST_LOG'] ?? 'silent' })
  const access = {
    name,
    restUrl: exchange.restUrl,
    wsUrl: exchange.wsUrl,
    rateLimitMs: 2,
  }
  const open = async (isFollowing: boolean) => {
    const store = await openCandleArchive(database.sql, log)
    const feed = liveFeed({
      access,
      isPaper: true,
      store,
      log,
      now,
      random: () => 0,
      timings: patience,
      ...(recorded && { recorded }),
    })
    const { live } = feed
    if (!live) throw new Error('the feed is live')
    const ended = new AbortController()
    const following = isFollowing ? live.follow(ended.signal) : Promise.resolve()
    const stop = async () => {
      ended.abort()
      await following
    }
    return { feed, live, store, stop }
  }
  const first = await open(follows)
  return {
    exchange,
    ...first,
    again: () => open(true),
    close: async () => {
      clearInterval(trading)
      await first.stop()
      await exchange.close()
      await database.drop()
    },
  }
}

/** True once all twelve pairs have a fresh price and the last closed candle. */
export const isComplete = ({ live }: Pick<LiveWorld, 'live'>): boolean => PAIRS.every(live.isOpen)

/** The pairs that cannot be traded now. */
export const closedPairs = ({ live }: Pick<LiveWorld, 'live'>): Pair[] =>
  PAIRS.filter((pair) => !live.isOpen(pair))

/** A world for this test alone, at half past two. */
export async function openLiveWorld(options: LiveOptions = {}): Promise<LiveWorld> {
  const world = await createLiveWorld({ startMs: START_MS, ...options })
  onTestFinished(world.close)
  return world
}

const WHOLE_WITHIN_MS = 30_000

/** Returns the milliseconds waited. */
export const untilWhole = (world: Pick<LiveWorld, 'live'>): Promise<number> =>
  until(() => isComplete(world), {
    timeoutMs: WHOLE_WITHIN_MS,
    complaint: () => `closed: ${closedPairs(world).join()}; ${JSON.stringify(world.live.report())}`,
  })
