import { setImmediate as turn } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { DAY_MS, floorHour, YEAR_MS } from '#core/market/candle.ts'
import { historyStart } from '#core/market/candle-series.ts'
import { PAIRS } from '#core/market/pair.ts'
import { beginRecord, type RecordMarket, type TrackRecord } from '#core/record/track-record.ts'
import type { TradingCosts } from '#core/trading/costs.ts'
import type { Sql } from '#server/db/open.ts'
import { findClock } from '#server/market/clock.ts'
import { findYields } from '#server/holdings/yields.ts'
import type { Candles } from '#server/ports/market-view.ts'
import type { Compute } from '#server/ports/compute.ts'
import type { Feed } from '#server/ports/feed.ts'
import { firstOf } from '#server/kernel/promises.ts'
import type { RecordKeeper } from '#server/ports/record.ts'
import { findRecordedChanges, findRecordedPools } from './store.ts'

type Kept = {
  sql: Sql
  feed: Feed
  candles: Candles
  costs: TradingCosts
  compute: Compute
  log: FastifyBaseLogger
  now: () => Date
  restFactor?: number
}

/**
 * After an extension, none follows for this multiple of its duration. So the record uses at most a
 * tenth of a core, at any speed of the market and for any number of readers.
 */
const REST_FACTOR = 10

/**
 * A live market's candle may arrive after its hour, or later here than at the engine: the last day
 * is recomputed each time.
 */
const UNSURE_MS = DAY_MS

export function keepRecord({ restFactor = REST_FACTOR, ...kept }: Kept): RecordKeeper {
  const ended = new AbortController()
  let known: CachedRecord | undefined
  let shown: TrackRecord | 'failed' | undefined
  let following: Promise<void> | undefined
  let restsUntilMs = Number.NEGATIVE_INFINITY

  const follow = async () => {
    const beganMs = kept.now().getTime()
    try {
      const clock = await findClock(kept.sql)
      if (!clock) return
      const untilMs = floorHour(clock.settledTime.getTime())
      known = await followed(kept, known ?? clock.startTime, {
        untilMs: untilMs - (kept.feed.live ? UNSURE_MS : 0),
        signal: ended.signal,
      })
      shown = (await followed(kept, known, { untilMs, signal: ended.signal })).record
    } catch (error) {
      if (ended.signal.aborted) return
      // The record so far stays valid: it only lacks its latest hours.
      shown ??= 'failed'
      kept.log.error(error, 'the track record could not be followed')
    } finally {
      following = undefined
      restsUntilMs = kept.now().getTime() + restFactor * (kept.now().getTime() - beganMs)
    }
  }

  return {
    soon: async (withinMs) => {
      if (!following && !ended.signal.aborted && kept.now().getTime() >= restsUntilMs)
        following = follow()
      if (following) await firstOf(following, withinMs)
      return shown
    },
    isReady: () => shown !== undefined,
    stop: () => ended.abort(),
  }
}

/** `version`: of a live market's past, which late candles change. */
type CachedRecord = { record: TrackRecord; version: string }

/**
 * The record up to the last settled hour, computed a market year at a time, so that a long one
 * needs no more memory than a short one.
 */
async function followed(
  kept: Kept,
  before: CachedRecord | Date,
  { untilMs, signal }: Following,
): Promise<CachedRecord> {
  const version = PAIRS.map((pair) => kept.feed.live?.version(pair) ?? 0).join(' ')
  let known =
    before instanceof Date || before.version !== version
      ? await begun(kept, before, version)
      : before
  while (known.record.untilMs < untilMs) known = await passYear(kept, known, { untilMs, signal })
  return known
}

async function begun(
  { sql }: Kept,
  before: CachedRecord | Date,
  version: string,
): Promise<CachedRecord> {
  const fromMs = before instanceof Date ? before.getTime() : before.record.fromMs
  const record = beginRecord({ fromMs, pools: await findRecordedPools(sql) })
  return { record, version }
}

type Following = { untilMs: number; signal: AbortSignal }

/** Extends the record by a market year, or to `untilMs` if that is earlier. */
async function passYear(
  { sql, feed, candles, costs, compute }: Kept,
  { record, version }: CachedRecord,
  { untilMs, signal }: Following,
): Promise<CachedRecord> {
  const toMs = Math.min(untilMs, record.untilMs + YEAR_MS)
  const markets = await marketsOf(
    { feed, candles },
    { fromMs: record.untilMs, toMs, isLast: toMs === untilMs },
  )
  signal.throwIfAborted()
  const seen = record.pools.map(({ id, followed: { lastChange } }) => ({ id, after: lastChange }))
  const changes = await findRecordedChanges(sql, { pools: seen, until: new Date(toMs) })
  const yields = await findYields(sql, { fromMs: record.untilMs, toMs })
  const extended = await compute.run(
    'record',
    { record, markets, changes, yields, costs, untilMs: toMs },
    { owner: 'track record', gone: signal },
  )
  return { record: extended, version }
}

type Hours = { fromMs: number; toMs: number; isLast: boolean }

/** Candles with the earlier ones on which the engine's strategies were warmed up at that time. */
async function marketsOf(
  { feed, candles }: Pick<Kept, 'feed' | 'candles'>,
  { fromMs, toMs, isLast }: Hours,
): Promise<RecordMarket[]> {
  const markets: RecordMarket[] = []
  // A pair that the exchange does not list any more stays in the record.
  for (const pair of feed.live ? PAIRS : feed.pairs) {
    markets.push({
      pair,
      series: isLast
        ? candles.until(pair, toMs)
        : feed.candles({ pair, fromMs: historyStart(fromMs), toMs }),
    })
    // Making one pair's years takes milliseconds: yield to requests in between.
    await turn()
  }
  return markets
}
