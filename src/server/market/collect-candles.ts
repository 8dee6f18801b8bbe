import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { floorHour, HOUR_MS } from '#core/market/candle.ts'
import {
  candleAt,
  countBefore,
  historyStart,
  type CandleSeries,
} from '#core/market/candle-series.ts'
import type { Pair } from '#core/market/pair.ts'
import type { MarketSource } from '#server/exchange/market-source.ts'
import { retryDelayMs } from '#server/exchange/open-exchange.ts'
import type { CandleArchive } from './candle-archive.ts'
import type { LiveTimings } from './live-timings.ts'

type Collecting = {
  source: MarketSource
  pairs: readonly Pair[]
  store: CandleArchive
  /** Source under which candles are stored. */
  name: string
  timings: LiveTimings
  /** Market time. */
  nowMs: () => number
  random: () => number
  log: FastifyBaseLogger
  /** Candles of years that the exchange does not provide. */
  recorded: (pair: Pair) => CandleSeries | undefined
}

/** The lookback of the slowest strategy, 160 days, plus a margin. */
const NEEDED_HOURS = 4_000

/**
 * Holes up to this age are requested every hour, because exchanges repair their data. Older holes
 * are requested once.
 */
const MENDED_WITHIN_HOURS = 24

/**
 * Collects the closed candles of every pair until `signal` ends it: missing ones, new ones as their
 * hour closes, then the years before. Only a candle that REST returns after its hour counts as
 * closed.
 */
export async function collectCandles(collecting: Collecting, signal: AbortSignal): Promise<void> {
  const { pairs, random, log } = collecting
  const progress = new Map<Pair, Progress>(
    pairs.map((pair) => [pair, { askedUntilMs: 0, nextMs: 0, isPastDone: false }]),
  )
  let failures = 0
  while (!signal.aborted) {
    // Waits are limited, because a machine that was suspended wakes up in another hour.
    let waitMs: number
    try {
      waitMs = await collectRound(collecting, progress, signal)
      failures = 0
    } catch (error) {
      failures += 1
      if (!signal.aborted) log.warn({ err: error }, 'the exchange returned no candles; retrying')
      waitMs = retryDelayMs({ failures, random: random() })
    }
    await delay(waitMs, undefined, { signal }).catch(() => undefined)
  }
}

/**
 * One round over all pairs. Returns the milliseconds until the next: 0 while there is more of the
 * past.
 */
async function collectRound(
  collecting: Collecting,
  progress: ReadonlyMap<Pair, Progress>,
  signal: AbortSignal,
): Promise<number> {
  const { nowMs, timings } = collecting
  let waitMs = timings.askAgainMs
  for (const [pair, own] of progress)
    if (!signal.aborted && nowMs() >= own.nextMs) await collectInTurn(collecting, pair, own)
  for (const [pair, own] of progress)
    if (!signal.aborted && (await collectPast(collecting, pair, own))) waitMs = 0
  return waitMs
}

type Progress = {
  /** Every hour before this was requested. */
  askedUntilMs: number
  /** Time of the next request, market time. */
  nextMs: number
  /** The exchange has nothing older, and the recorded files were read. */
  isPastDone: boolean
}

/** A failing pair is skipped for a while, so that it does not delay the others. */
async function collectInTurn(collecting: Collecting, pair: Pair, own: Progress): Promise<void> {
  try {
    await collectPair(collecting, pair, own)
  } catch (error) {
    own.nextMs = collecting.nowMs() + 2 * collecting.timings.askAgainMs
    throw error
  }
}

/** Requests the missing hours page by page, and schedules the next request. */
async function collectPair(
  { source, store, name, timings, nowMs }: Collecting,
  pair: Pair,
  own: Progress,
): Promise<void> {
  const closedMs = floorHour(nowMs() - timings.closeMarginMs)
  let fromMs = firstMissing(store, pair, {
    fromMs: Math.max(
      closedMs - NEEDED_HOURS * HOUR_MS,
      own.askedUntilMs - MENDED_WITHIN_HOURS * HOUR_MS,
    ),
    closedMs,
  })
  while (fromMs !== undefined) {
    // Starts one candle earlier, to notice corrections.
    const page = await source.candles({ pair, fromMs: fromMs - HOUR_MS })
    const closed = page.filter(({ openTimeMs }) => openTimeMs < closedMs)
    await store.add({ pair, source: name, candles: closed })
    const lastMs = Math.max(
      ...closed.map(({ openTimeMs }) => openTimeMs),
      fromMs + (source.pageSize - 2) * HOUR_MS,
    )
    // Continues only if the page ends before the present: an exchange that returns only its latest
    // page has nothing more.
    const nextMs = page.some(({ openTimeMs }) => openTimeMs >= closedMs)
      ? closedMs
      : lastMs + HOUR_MS
    fromMs = nextMs < closedMs ? nextMs : undefined
  }
  own.askedUntilMs = closedMs
  const { closeMarginMs, askAgainMs, graceMs } = timings
  const isInGrace = nowMs() - closedMs < graceMs
  own.nextMs = store.has(pair, closedMs - HOUR_MS)
    ? closedMs + HOUR_MS + closeMarginMs
    : nowMs() + (isInGrace ? askAgainMs : graceMs)
}

function firstMissing(
  store: CandleArchive,
  pair: Pair,
  { fromMs, closedMs }: { fromMs: number; closedMs: number },
): number | undefined {
  for (let hourMs = fromMs; hourMs < closedMs; hourMs += HOUR_MS)
    if (!store.has(pair, hourMs)) return hourMs
  return undefined
}

/**
 * Requests one page before the first candle, then recorded candles; returns whether there may be
 * more.
 */
async function collectPast(collecting: Collecting, pair: Pair, own: Progress): Promise<boolean> {
  const { source, store, name, nowMs, recorded } = collecting
  const firstMs = store.series(pair).openTimesMs[0]
  const isEmpty = store.series(pair).length === 0
  if (own.isPastDone || isEmpty || firstMs === undefined || firstMs <= historyStart(nowMs()))
    return false
  const page = await source.candles({ pair, fromMs: firstMs - source.pageSize * HOUR_MS })
  const older = page.filter(({ openTimeMs }) => openTimeMs < firstMs)
  await store.add({ pair, source: name, candles: older })
  if (older.length > 0) return true
  own.isPastDone = true
  const file = recorded(pair)
  if (file) await store.add({ pair, source: 'recorded', candles: reachingUpTo(file, firstMs) })
  return false
}

/**
 * The file's candles before `firstMs`. Returns none unless the last of them is the hour before
 * `firstMs`, because series are never joined across a gap.
 */
function reachingUpTo(file: CandleSeries, firstMs: number) {
  const count = countBefore(file, firstMs)
  if (count === 0 || candleAt(file, count - 1).openTimeMs !== firstMs - HOUR_MS) return []
  return Array.from({ length: count }, (_, index) => candleAt(file, index))
}
