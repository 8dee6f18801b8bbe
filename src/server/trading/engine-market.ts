import { DAY_MS, floorHour, HOUR_MS } from '#core/market/candle.ts'
import { candleAt, countBefore } from '#core/market/candle-series.ts'
import type { Pair } from '#core/market/pair.ts'
import { priceWithin } from '#core/market/price-within.ts'
import type { Units } from '#core/money/amount.ts'
import type { TradingCosts } from '#core/trading/costs.ts'
import type { Candles, DatedTicker } from '#server/ports/market-view.ts'
import type { Feed, LiveMarket } from '#server/ports/feed.ts'
import { openStrategies, type Want } from './strategies.ts'

/**
 * The market as the engine moves it through time: closed candles decide, the running one only gives
 * the price.
 */
export type Market = {
  now: () => Date
  /**
   * The price at which `pair` can be traded now; undefined in a hole of its data or, on a live
   * market, while its price is stale.
   */
  price: (pair: Pair) => Units | undefined
  tickers: () => DatedTicker[]
  /** The target exposure of each strategy on `pair` since the last closed hour, with its cause. */
  wants: (pair: Pair) => readonly Want[]
  /**
   * The close of the candle that ended at the last whole hour; undefined if the pair has none
   * there.
   */
  closeOfHour: (pair: Pair) => Units | undefined
  /** The last close of each pair, however old; pairs without any are left out. */
  lastCloses: () => { pair: Pair; close: Units }[]
  /**
   * Moves to market time `ms`; at a whole hour the strategies decide again. Returns the pairs whose
   * exposures changed. On a live market they decide at every move, because a candle may arrive
   * late.
   */
  moveTo: (ms: number) => Pair[]
  /**
   * Processes the candles of `pair` closed by `ms` beforehand, so that `moveTo` has fewer left.
   * Changes nothing else.
   */
  prepare: (pair: Pair, ms: number) => void
}

export function openMarket({
  feed,
  candles,
  costs,
}: {
  feed: Feed
  candles: Candles
  costs: TradingCosts
}): Market {
  const strategies = openStrategies(candles, costs)
  const wants = new Map<Pair, readonly Want[]>()
  const tickers = new Map<Pair, DatedTicker>()
  const open = new Set<Pair>()
  let nowMs = 0
  let decidedMs = -1
  const decideAll = (hourMs: number): Pair[] =>
    feed.pairs.filter((pair) => {
      const decided = strategies.decide(pair, hourMs)
      const before = wants.get(pair)
      wants.set(pair, decided)
      return decided.some(
        ({ cause }, index) => cause.exposureBps !== before?.[index]?.cause.exposureBps,
      )
    })
  return {
    now: () => new Date(nowMs),
    price: (pair) => {
      // Read at the moment of use: a live price can become stale between two steps of the clock.
      if (feed.live) return feed.live.isOpen(pair) ? feed.live.quote(pair)?.price : undefined
      return open.has(pair) ? tickers.get(pair)?.price : undefined
    },
    tickers: () => [...tickers.values()],
    wants: (pair) => wants.get(pair) ?? [],
    closeOfHour: (pair) => closeAt({ candles, pair, hourMs: floorHour(nowMs) }),
    lastCloses: () =>
      feed.pairs.flatMap((pair) => lastClose({ candles, pair, hourMs: floorHour(nowMs) })),
    moveTo: (ms) => {
      nowMs = ms
      const hourMs = floorHour(ms)
      const changed = hourMs === decidedMs && !feed.live ? [] : decideAll(hourMs)
      decidedMs = hourMs
      for (const pair of feed.pairs) {
        const reading = feed.live
          ? readQuote({ live: feed.live, candles, pair, nowMs: ms })
          : readTicker({ feed, candles, pair, nowMs: ms })
        if (reading) tickers.set(pair, reading.ticker)
        if (reading?.isOpen) open.add(pair)
        else open.delete(pair)
      }
      return changed
    },
    prepare: (pair, ms) => void strategies.decide(pair, floorHour(ms)),
  }
}

function closeAt({
  candles,
  pair,
  hourMs,
}: {
  candles: Candles
  pair: Pair
  hourMs: number
}): Units | undefined {
  const series = candles.until(pair, hourMs)
  const closed = countBefore(series, hourMs)
  return series.openTimesMs[closed - 1] === hourMs - HOUR_MS
    ? candleAt(series, closed - 1).close
    : undefined
}

function lastClose({
  candles,
  pair,
  hourMs,
}: {
  candles: Candles
  pair: Pair
  hourMs: number
}): { pair: Pair; close: Units }[] {
  const series = candles.until(pair, hourMs)
  const closed = countBefore(series, hourMs)
  return closed > 0 ? [{ pair, close: candleAt(series, closed - 1).close }] : []
}

type Reading = { feed: Feed; candles: Candles; pair: Pair; nowMs: number }

/**
 * The exchange's last price, with its own time; undefined before the first one: nothing replaces
 * it.
 */
function readQuote({
  live,
  candles,
  pair,
  nowMs,
}: Omit<Reading, 'feed'> & { live: LiveMarket }):
  | { ticker: DatedTicker; isOpen: boolean }
  | undefined {
  const quote = live.quote(pair)
  if (!quote) return undefined
  const ticker = {
    pair,
    price: quote.price,
    previousPrice24h: priceADayBefore({ candles, pair, nowMs }) ?? quote.price,
    marketTime: new Date(quote.atMs),
  }
  return { ticker, isOpen: live.isOpen(pair) }
}

/**
 * In a hole of the data the price stays at the last close and nothing trades: no trade was
 * recorded, so none is invented.
 */
function readTicker({
  feed,
  candles,
  pair,
  nowMs,
}: Reading): { ticker: DatedTicker; isOpen: boolean } | undefined {
  const hourMs = floorHour(nowMs)
  const series = candles.until(pair, hourMs)
  const closed = countBefore(series, hourMs)
  const running = feed.candles({ pair, fromMs: hourMs, toMs: hourMs + HOUR_MS })
  if (closed === 0 && running.length === 0) return undefined
  const thousandths = Math.floor(((nowMs - hourMs) * 1_000) / HOUR_MS)
  const price =
    running.length > 0
      ? priceWithin({ candle: candleAt(running, 0), thousandths })
      : candleAt(series, closed - 1).close
  const previousPrice24h = priceADayBefore({ candles, pair, nowMs }) ?? price
  return {
    ticker: { pair, price, previousPrice24h, marketTime: new Date(nowMs) },
    isOpen: running.length > 0,
  }
}

function priceADayBefore({ candles, pair, nowMs }: Omit<Reading, 'feed'>): Units | undefined {
  const series = candles.until(pair, floorHour(nowMs))
  const closed = countBefore(series, nowMs - DAY_MS)
  return closed > 0 ? candleAt(series, closed - 1).close : undefined
}
