import { HOUR_MS } from '#core/market/candle.ts'
import { candleAt, countBefore } from '#core/market/candle-series.ts'
import type { Pair } from '#core/market/pair.ts'
import { priceWithin } from '#core/market/price-within.ts'
import type { Ticker } from '#core/market/ticker.ts'
import type { Units } from '#core/money/amount.ts'
import type { Candles } from '#server/market/candles.ts'
import type { Feed } from '#server/market/feed.ts'
import type { Want } from './plan-blocks.ts'
import { openStrategies } from './strategies.ts'

/** The market as the engine drives it through time: closed candles decide, the running one only gives the price. */
export type Market = {
  now: () => Date
  /** The price at which `pair` can be traded now; undefined while its data has a hole. */
  price: (pair: Pair) => Units | undefined
  tickers: () => Ticker[]
  /** What each risk level wants on `pair` since the last closed hour. */
  wants: (pair: Pair) => readonly Want[]
  /** Goes to market time `ms`; at a whole hour the strategies decide anew, and the pairs whose wishes changed are answered. */
  moveTo: (ms: number) => Pair[]
}

export function openMarket({ feed, candles }: { feed: Feed; candles: Candles }): Market {
  const strategies = openStrategies(candles)
  const wants = new Map<Pair, readonly Want[]>()
  const tickers = new Map<Pair, Ticker>()
  const open = new Set<Pair>()
  let nowMs = 0
  let decidedMs = -1
  const decideAll = (hourMs: number): Pair[] =>
    feed.pairs.filter((pair) => {
      const decided = strategies.decide(pair, hourMs).map(({ riskLevel, exposureBps, reason }) => ({ riskLevel, exposureBps, reason }))
      const before = wants.get(pair)
      wants.set(pair, decided)
      return decided.some(({ exposureBps }, index) => exposureBps !== before?.[index]?.exposureBps)
    })
  return {
    now: () => new Date(nowMs),
    price: (pair) => (open.has(pair) ? tickers.get(pair)?.price : undefined),
    tickers: () => [...tickers.values()],
    wants: (pair) => wants.get(pair) ?? [],
    moveTo: (ms) => {
      nowMs = ms
      const hourMs = Math.floor(ms / HOUR_MS) * HOUR_MS
      const changed = hourMs === decidedMs ? [] : decideAll(hourMs)
      decidedMs = hourMs
      for (const pair of feed.pairs) {
        const reading = readTicker({ feed, candles, pair, nowMs: ms })
        if (reading) tickers.set(pair, reading.ticker)
        if (reading?.isOpen) open.add(pair)
        else open.delete(pair)
      }
      return changed
    },
  }
}

type Reading = { feed: Feed; candles: Candles; pair: Pair; nowMs: number }

/** In a hole of the data the price stands at the last close and nothing trades: nobody recorded a trade, so none is invented. */
function readTicker({ feed, candles, pair, nowMs }: Reading): { ticker: Ticker; isOpen: boolean } | undefined {
  const hourMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS
  const series = candles.until(pair, hourMs)
  const closed = countBefore(series, hourMs)
  const running = feed.candles({ pair, fromMs: hourMs, toMs: hourMs + HOUR_MS })
  if (closed === 0 && running.length === 0) return undefined
  const thousandths = Math.floor(((nowMs - hourMs) * 1_000) / HOUR_MS)
  const price = running.length > 0 ? priceWithin({ candle: candleAt(running, 0), thousandths }) : candleAt(series, closed - 1).close
  const dayBefore = countBefore(series, nowMs - 24 * HOUR_MS)
  const previousPrice24h = dayBefore > 0 ? candleAt(series, dayBefore - 1).close : price
  return { ticker: { pair, price, previousPrice24h }, isOpen: running.length > 0 }
}
