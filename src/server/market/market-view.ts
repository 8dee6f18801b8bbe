import { floorHour } from '#core/market/candle.ts'
import { countBefore } from '#core/market/candle-series.ts'
import { ASSET_NAMES } from '#core/money/asset.ts'
import { baseOf, PAIRS, type Pair } from '#core/market/pair.ts'
import type { Units } from '#core/money/amount.ts'
import { unitsToDecimal } from '#core/money/decimal.ts'
import { change24h } from '#core/market/ticker.ts'
import { TRACE_HOURS, type Prices } from '#contract/market.ts'
import type { Queries } from '#server/db/statement.ts'
import type { Candles, DatedTicker, MarketView } from '#server/ports/market-view.ts'
import type { Feed } from '#server/ports/feed.ts'
import { findClock, findTickers } from './clock.ts'
import { LIVE_TIMINGS } from './live-timings.ts'
import { readModel } from './range-days.ts'

type ViewOptions = { feed: Feed; candles: Candles; wallNow: () => Date }

export function openMarketView(sql: Queries, { feed, candles, wallNow }: ViewOptions): MarketView {
  let tickers = new Map<Pair, DatedTicker>()
  let now = new Date(feed.beginMs(wallNow().getTime()))
  let start = now
  let started = 0
  let shown = 0
  const ageMs = (pair: Pair): number | undefined => {
    const ticker = tickers.get(pair)
    return (
      ticker &&
      Math.max(
        0,
        now.getTime() - ticker.marketTime.getTime(),
        feed.live ? ageOnTheWall(ticker, wallNow()) : 0,
      )
    )
  }
  const isStale = (pair: Pair): boolean =>
    feed.live !== undefined && (ageMs(pair) ?? 0) > feed.live.staleAfterMs
  return {
    now: () => now,
    start: () => start,
    ticker: (pair) => tickers.get(pair),
    ageMs,
    isStale,
    prices: () => showPrices({ tickers, candles, isStale }),
    refresh: async () => {
      started += 1
      const mine = started
      const [clock, found] = await Promise.all([
        findClock(sql),
        findTickers(sql),
        feed.live?.refresh(),
        readModel({ feed, candles, sql }),
      ])
      // Ignores an older answer that arrives later: it would turn the clock back.
      if (mine < shown) return
      shown = mine
      now = clock?.marketTime ?? now
      start = clock?.startTime ?? start
      tickers = new Map(found.map((ticker) => [ticker.pair, ticker]))
    },
  }
}

/**
 * Age by wall-clock time, less the permitted skew. Market time alone does not suffice, because it
 * stops with the engine.
 */
function ageOnTheWall({ marketTime }: DatedTicker, wallNow: Date): number {
  return wallNow.getTime() - LIVE_TIMINGS.mostSkewMs - marketTime.getTime()
}

type Shown = {
  tickers: ReadonlyMap<Pair, DatedTicker>
  candles: Candles
  isStale: (pair: Pair) => boolean
}

function showPrices({ tickers, candles, isStale }: Shown): Prices {
  const shown = PAIRS.flatMap((pair) => {
    const ticker = tickers.get(pair)
    return ticker
      ? [[baseOf(pair), { ...showPrice(ticker, candles), stale: isStale(pair) }] as const]
      : []
  })
  return Object.fromEntries(shown)
}

function showPrice(ticker: DatedTicker, candles: Candles): Omit<Prices[string], 'stale'> {
  const { pair, price, marketTime } = ticker
  const at = marketTime.toISOString()
  const trace = lastCloses(candles, { pair, marketTime }).map((close) => unitsToDecimal(close, 8))
  return {
    name: ASSET_NAMES[baseOf(pair)],
    price: unitsToDecimal(price, 8),
    change24h: change24h(ticker),
    trace,
    at,
  }
}

function lastCloses(
  candles: Candles,
  { pair, marketTime }: { pair: Pair; marketTime: Date },
): Units[] {
  const hourMs = floorHour(marketTime.getTime())
  const series = candles.until(pair, hourMs)
  const closed = countBefore(series, hourMs)
  return Array.from(series.close.subarray(Math.max(0, closed - TRACE_HOURS), closed))
}
