import { DAY_MS, floorHour, HOUR_MS, type Candle } from '#core/market/candle.ts'
import { candleAt, countBefore } from '#core/market/candle-series.ts'
import type { Pair } from '#core/market/pair.ts'
import { priceWithin } from '#core/market/price-within.ts'
import type { Units } from '#core/money/amount.ts'
import type { TradingCosts } from '#core/trading/costs.ts'
import type { Candles, DatedTicker } from '#server/ports/market-view.ts'
import type { Feed, LiveMarket } from '#server/ports/feed.ts'
import { openStrategies, type Want } from './strategies.ts'

/**
 * The market at the engine's time. Decisions use closed candles; the running one only gives the
 * price.
 */
export type Market = {
  now: () => Date
  /** Undefined in a hole of the data or, on a live market, while the price is stale. */
  price: (pair: Pair) => Units | undefined
  tickers: () => DatedTicker[]
  /** The target exposures on `pair` since the last closed hour. */
  wants: (pair: Pair) => readonly Want[]
  /** The close at the last whole hour; undefined without a candle there or without the pair. */
  closeOfHour: (pair: Pair) => Units | undefined
  /** The last close of each pair that has one, however old. */
  lastCloses: () => { pair: Pair; close: Units }[]
  /**
   * Moves to market time `ms` and returns the pairs whose exposures changed. Strategies decide at
   * whole hours; on a live market at every move, because a candle may arrive late.
   */
  moveTo: (ms: number) => Pair[]
  /** Processes candles closed by `ms` beforehand, so that `moveTo` has fewer left. */
  prepare: (pair: Pair, ms: number) => void
}

type Parts = { feed: Feed; candles: Candles; costs: TradingCosts }

export function openMarket({ feed, candles, costs }: Parts): Market {
  const strategies = openStrategies(candles, costs)
  const wants = new Map<Pair, readonly Want[]>()
  const readings = new Map<Pair, Reading>()
  let nowMs = 0
  let decidedMs = -1
  const isChanged = (pair: Pair, hourMs: number): boolean => {
    const [before, decided] = [wants.get(pair), strategies.decide(pair, hourMs)]
    wants.set(pair, decided)
    return decided.some(({ cause }, at) => cause.exposureBps !== before?.[at]?.cause.exposureBps)
  }
  return {
    now: () => new Date(nowMs),
    price: (pair) => (feed.live ? openQuote(feed.live, pair) : openPrice(readings.get(pair))),
    tickers: () => [...readings.values()].map(({ ticker }) => ticker),
    wants: (pair) => wants.get(pair) ?? [],
    closeOfHour: (pair) => closeOfHour({ feed, candles, pair, nowMs }),
    lastCloses: () => feed.pairs.flatMap((pair) => lastClose({ candles, pair, nowMs })),
    moveTo: (ms) => {
      nowMs = ms
      const hourMs = floorHour(ms)
      const isDecided = hourMs === decidedMs && !feed.live
      const changed = isDecided ? [] : feed.pairs.filter((pair) => isChanged(pair, hourMs))
      decidedMs = hourMs
      for (const pair of feed.pairs) {
        const reading = readPair({ feed, candles, pair, nowMs: ms })
        if (reading) readings.set(pair, reading)
      }
      return changed
    },
    prepare: (pair, ms) => void strategies.decide(pair, floorHour(ms)),
  }
}

/** Checks the price again, because it may become stale between two moves. */
const openQuote = (live: LiveMarket, pair: Pair): Units | undefined =>
  live.isOpen(pair) ? live.quote(pair)?.price : undefined

const openPrice = (reading: Reading | undefined): Units | undefined =>
  reading?.isOpen ? reading.ticker.price : undefined

type Moment = { candles: Candles; pair: Pair; nowMs: number }

/** The last closed candle that opened before `beforeMs`. */
function lastClosed(
  { candles, pair, nowMs }: Moment,
  beforeMs = floorHour(nowMs),
): Candle | undefined {
  const series = candles.until(pair, floorHour(nowMs))
  const count = countBefore(series, beforeMs)
  return count > 0 ? candleAt(series, count - 1) : undefined
}

function lastClose(moment: Moment): { pair: Pair; close: Units }[] {
  const last = lastClosed(moment)
  return last ? [{ pair: moment.pair, close: last.close }] : []
}

function closeOfHour({ feed, ...moment }: Moment & { feed: Feed }): Units | undefined {
  if (!feed.pairs.includes(moment.pair)) return undefined
  const last = lastClosed(moment)
  return last?.openTimeMs === floorHour(moment.nowMs) - HOUR_MS ? last.close : undefined
}

type Reading = { ticker: DatedTicker; isOpen: boolean }

/** Undefined before the first price of a pair. */
function readPair({ feed, ...moment }: Moment & { feed: Feed }): Reading | undefined {
  const { pair, nowMs } = moment
  const found = feed.live ? readQuote(feed.live, pair) : readPrice(feed, moment)
  if (!found) return undefined
  const { price, atMs, isOpen } = found
  const previousPrice24h = lastClosed(moment, nowMs - DAY_MS)?.close ?? price
  return { ticker: { pair, price, previousPrice24h, marketTime: new Date(atMs) }, isOpen }
}

type Read = { price: Units; atMs: number; isOpen: boolean }

function readQuote(live: LiveMarket, pair: Pair): Read | undefined {
  const quote = live.quote(pair)
  return quote && { ...quote, isOpen: live.isOpen(pair) }
}

/** Reads the price. In a hole of the data it stays at the last close, and nothing is traded. */
function readPrice(feed: Feed, moment: Moment): Read | undefined {
  const { pair, nowMs: atMs } = moment
  const hourMs = floorHour(atMs)
  const running = feed.candles({ pair, fromMs: hourMs, toMs: hourMs + HOUR_MS })
  if (running.length > 0) {
    const thousandths = Math.floor(((atMs - hourMs) * 1_000) / HOUR_MS)
    return { price: priceWithin({ candle: candleAt(running, 0), thousandths }), atMs, isOpen: true }
  }
  const last = lastClosed(moment)
  return last && { price: last.close, atMs, isOpen: false }
}
