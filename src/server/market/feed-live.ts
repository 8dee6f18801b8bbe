import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { DAY_MS, floorHour, HOUR_MS } from '#core/market/candle.ts'
import type { CandleSeries } from '#core/market/candle-series.ts'
import { PAIRS, type Pair } from '#core/market/pair.ts'
import { sentence } from '#core/sentences.ts'
import { marketSource, type MarketSource } from '#server/exchange/market-source.ts'
import {
  EXCHANGES,
  type ExchangeAccess,
  QUOTES,
  retryDelayMs,
} from '#server/exchange/open-exchange.ts'
import type { Feed, LiveMarket } from '#server/ports/feed.ts'
import type { CandleArchive } from './candle-archive.ts'
import { candlesBetween } from './candle-cache.ts'
import { collectCandles } from './collect-candles.ts'
import { openExchangeClock, type ExchangeClock } from './exchange-clock.ts'
import { followPrices, type LatestPrices } from './follow-prices.ts'
import { LIVE_TIMINGS, STALE_AFTER, type LiveTimings } from './live-timings.ts'

export type LiveFeedOptions = {
  access: ExchangeAccess
  isPaper: boolean
  store: CandleArchive
  log: FastifyBaseLogger
  now: () => Date
  random?: () => number
  timings?: LiveTimings
  /** Candles of years that the exchange does not provide. */
  recorded?: (pair: Pair) => CandleSeries | undefined
}

/** Sends no request before `follow`. */
export function liveFeed(options: LiveFeedOptions): Feed {
  const { access, isPaper, store } = options
  const { timings = LIVE_TIMINGS } = options
  const source = marketSource({ ...access, timeoutMs: timings.expectedIntervalMs })
  /** All our pairs until the exchange has listed its own. */
  let pairs = PAIRS
  const live = liveMarket({ ...options, onPairs: (traded) => (pairs = traded) }, source)
  return {
    kind: 'live',
    label: sentence(isPaper ? 'paperPrices' : 'livePrices', {
      name: EXCHANGES[access.name],
      quote: QUOTES[access.name][0],
    }),
    identity: `live:${access.name}`,
    venue: access.name,
    get pairs() {
      return pairs
    },
    defaultSpeed: 1,
    beginMs: floorHour,
    endMs: undefined,
    candles: ({ pair, fromMs, toMs }) => candlesBetween(store.series(pair), { fromMs, toMs }),
    live,
  }
}

/**
 * Whether the exchange answers within this time. Threat: a network that drops every packet would
 * block the start.
 */
export async function answersWithin(access: ExchangeAccess, withinMs: number): Promise<boolean> {
  const late = new AbortController()
  try {
    const answer = marketSource({ ...access, timeoutMs: withinMs })
      .timeMs()
      .then(
        () => true,
        () => false,
      )
    return await Promise.race([answer, delay(withinMs, false, { signal: late.signal })])
  } finally {
    late.abort()
  }
}

type MarketOptions = LiveFeedOptions & { onPairs: (traded: readonly Pair[]) => void }

function liveMarket(options: MarketOptions, source: MarketSource): LiveMarket {
  const { store, log, now, timings = LIVE_TIMINGS, random = Math.random } = options
  const latest: LatestPrices = { quotes: new Map(), connected: false, attempts: 0, updates: 0 }
  const clock = openExchangeClock({ source, timings, now, random, log })
  const staleAfterMs = STALE_AFTER * timings.expectedIntervalMs
  let following = false
  return {
    nowMs: clock.nowMs,
    checkClock: clock.check,
    closedUntilMs: () => {
      const nowMs = clock.nowMs()
      const hourMs = floorHour(nowMs)
      const lastMs = hourMs - HOUR_MS
      return nowMs - hourMs < timings.graceMs && isAwaited(store, lastMs) ? lastMs : hourMs
    },
    quote: (pair) => latest.quotes.get(pair),
    isOpen: (pair) => {
      const quote = latest.quotes.get(pair)
      const isFresh = quote !== undefined && clock.nowMs() - quote.atMs <= staleAfterMs
      return isFresh && clock.isBelieved() && store.has(pair, floorHour(clock.nowMs()) - HOUR_MS)
    },
    version: (pair) => store.version(pair),
    candleCount: () => PAIRS.reduce((sum, pair) => sum + store.series(pair).length, 0),
    staleAfterMs,
    follow: async (signal) => {
      following = true
      await follow({ options, source, clock, latest }, signal)
      following = false
    },
    refresh: async () => {
      if (!following) await store.refresh()
    },
    report: () => ({
      following,
      connected: latest.connected,
      reconnects: Math.max(0, latest.attempts - 1),
      updates: latest.updates,
      corrections: store.corrections(),
      clockOffsetMs: clock.offsetMs(),
    }),
  }
}

/** Whether a pair that had candles within the last day lacks the candle of this hour. */
function isAwaited(store: CandleArchive, hourMs: number): boolean {
  return PAIRS.some((pair) => {
    const { length, openTimesMs } = store.series(pair)
    const wasTraded = length > 0 && hourMs - (openTimesMs[length - 1] ?? 0) <= DAY_MS
    return wasTraded && !store.has(pair, hourMs)
  })
}

type Parts = {
  options: MarketOptions
  source: MarketSource
  clock: ExchangeClock
  latest: LatestPrices
}

async function follow(
  { options, source, clock, latest }: Parts,
  signal: AbortSignal,
): Promise<void> {
  const {
    access,
    store,
    log,
    timings = LIVE_TIMINGS,
    random = Math.random,
    recorded = () => undefined,
  } = options
  const pairs = await begin({ options, source, clock, latest }, signal)
  if (signal.aborted) return
  options.onPairs(pairs)
  const common = { source, pairs, timings, nowMs: clock.nowMs, random, log }
  await Promise.all([
    clock.keep(signal),
    followPrices({ ...common, latest }, signal),
    collectCandles({ ...common, store, name: access.name, recorded }, signal),
  ])
}

/** Requests the exchange's time and markets until both succeed, with growing delays. */
async function begin(
  { options, source, clock }: Parts,
  signal: AbortSignal,
): Promise<readonly Pair[]> {
  const { access, log, random = Math.random } = options
  for (let failures = 1; !signal.aborted; failures += 1) {
    try {
      await clock.measure()
      const pairs = await source.load()
      if (pairs.length === 0) throw new Error(`${access.name} trades none of our pairs`)
      const lacking = PAIRS.filter((pair) => !pairs.includes(pair))
      if (lacking.length > 0) log.warn({ lacking }, 'the exchange does not trade some pairs')
      return pairs
    } catch (error) {
      if (!signal.aborted) log.warn({ err: error }, 'the exchange does not answer; retrying')
      await delay(retryDelayMs({ failures, random: random() }), undefined, { signal }).catch(
        () => undefined,
      )
    }
  }
  return []
}
