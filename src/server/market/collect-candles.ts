import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { floorHour, HOUR_MS } from '#core/market/candle.ts'
import { candleAt, countBefore, historyStart, type CandleSeries } from '#core/market/candle-series.ts'
import type { Pair } from '#core/market/pair.ts'
import type { MarketSource } from '#server/exchange/market-source.ts'
import { retryDelayMs } from '#server/exchange/retry.ts'
import type { CandleArchive } from './candle-archive.ts'
import type { LiveTimings } from './live-timings.ts'

export type Collecting = {
  source: MarketSource
  pairs: readonly Pair[]
  store: CandleArchive
  /** The name under which candles are kept. */
  name: string
  timings: LiveTimings
  /** Market time. */
  nowMs: () => number
  random: () => number
  log: FastifyBaseLogger
  /** Candles in files, for the years that the exchange does not give. */
  recorded: (pair: Pair) => CandleSeries | undefined
}

/** What the slowest strategy looks back on, 80 days, and some. Older holes cannot change a decision. */
const NEEDED_HOURS = 2_000

/** A hole younger than this is asked for every hour: exchanges mend their data. Older ones once in a process's life. */
const MENDED_WITHIN_HOURS = 24

/**
 * Keeps the closed candles of every pair until `signal` ends it: those that are missing first, each new one as its hour closes, then the
 * years before, a page at a time. Only what REST gives after its hour is over counts as closed.
 */
export async function collectCandles(collecting: Collecting, signal: AbortSignal): Promise<void> {
  const { pairs, nowMs, random, log, timings } = collecting
  const progress = new Map<Pair, Progress>(pairs.map((pair) => [pair, { askedUntilMs: 0, nextMs: 0, isPastDone: false }]))
  let failures = 0
  while (!signal.aborted) {
    // Never a long sleep: a machine that was suspended wakes up in another hour.
    let waitMs = timings.askAgainMs
    try {
      for (const [pair, own] of progress) if (!signal.aborted && nowMs() >= own.nextMs) await collectInTurn(collecting, pair, own)
      for (const [pair, own] of progress) if (!signal.aborted && (await collectPast(collecting, pair, own))) waitMs = 0
      failures = 0
    } catch (error) {
      failures += 1
      if (!signal.aborted) log.warn({ err: error }, 'the exchange does not give candles; it is asked again')
      waitMs = retryDelayMs({ failures, random: random() })
    }
    await delay(waitMs, undefined, { signal }).catch(() => undefined)
  }
}

type Progress = {
  /** Every hour before this was asked for. */
  askedUntilMs: number
  /** When to ask again, market time. */
  nextMs: number
  /** The exchange gives nothing older, and the files were read. */
  isPastDone: boolean
}

/** A pair that fails is passed over for a while: it keeps nobody else from their candles. */
async function collectInTurn(collecting: Collecting, pair: Pair, own: Progress): Promise<void> {
  try {
    await collectPair(collecting, pair, own)
  } catch (error) {
    own.nextMs = collecting.nowMs() + 2 * collecting.timings.askAgainMs
    throw error
  }
}

/** Asks for the hours that are missing, page after page, and says when it is worth asking again. */
async function collectPair({ source, store, name, timings, nowMs }: Collecting, pair: Pair, own: Progress): Promise<void> {
  const closedMs = floorHour(nowMs() - timings.closeMarginMs)
  let fromMs = firstMissing(store, pair, { fromMs: Math.max(closedMs - NEEDED_HOURS * HOUR_MS, own.askedUntilMs - MENDED_WITHIN_HOURS * HOUR_MS), closedMs })
  while (fromMs !== undefined) {
    // From the candle before on: where the exchange corrects what it told, that is seen and counted.
    const page = await source.candles({ pair, fromMs: fromMs - HOUR_MS })
    const closed = page.filter(({ openTimeMs }) => openTimeMs < closedMs)
    await store.add({ pair, source: name, candles: closed })
    const lastMs = Math.max(...closed.map(({ openTimeMs }) => openTimeMs), fromMs + (source.pageSize - 2) * HOUR_MS)
    // An exchange that gives its latest page only leaves nothing to ask for.
    const nextMs = page.some(({ openTimeMs }) => openTimeMs >= closedMs) ? closedMs : lastMs + HOUR_MS
    fromMs = nextMs < closedMs ? nextMs : undefined
  }
  own.askedUntilMs = closedMs
  const { closeMarginMs, askAgainMs, graceMs } = timings
  const isInGrace = nowMs() - closedMs < graceMs
  own.nextMs = store.has(pair, closedMs - HOUR_MS) ? closedMs + HOUR_MS + closeMarginMs : nowMs() + (isInGrace ? askAgainMs : graceMs)
}

function firstMissing(store: CandleArchive, pair: Pair, { fromMs, closedMs }: { fromMs: number; closedMs: number }): number | undefined {
  for (let hourMs = fromMs; hourMs < closedMs; hourMs += HOUR_MS) if (!store.has(pair, hourMs)) return hourMs
  return undefined
}

/** One page of the years before the first candle; answers whether there may be more. Where the exchange has none, files that reach up to it may. */
async function collectPast(collecting: Collecting, pair: Pair, own: Progress): Promise<boolean> {
  const { source, store, name, nowMs, recorded } = collecting
  const firstMs = store.series(pair).openTimesMs[0]
  const isEmpty = store.series(pair).length === 0
  if (own.isPastDone || isEmpty || firstMs === undefined || firstMs <= historyStart(nowMs())) return false
  const page = await source.candles({ pair, fromMs: firstMs - source.pageSize * HOUR_MS })
  const older = page.filter(({ openTimeMs }) => openTimeMs < firstMs)
  await store.add({ pair, source: name, candles: older })
  if (older.length > 0) return true
  own.isPastDone = true
  const file = recorded(pair)
  if (file) await store.add({ pair, source: 'recorded', candles: reachingUpTo(file, firstMs) })
  return false
}

/** The recorded candles before `firstMs`, or none where they end before: a market is never joined across a gap of unknown length. */
function reachingUpTo(file: CandleSeries, firstMs: number) {
  const count = countBefore(file, firstMs)
  if (count === 0 || candleAt(file, count - 1).openTimeMs !== firstMs - HOUR_MS) return []
  return Array.from({ length: count }, (_, index) => candleAt(file, index))
}
