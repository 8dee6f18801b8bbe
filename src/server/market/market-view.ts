import { HOUR_MS } from '#core/market/candle.ts'
import { countBefore } from '#core/market/candle-series.ts'
import { ASSET_NAMES } from '#core/money/asset.ts'
import { baseOf, PAIRS, type Pair } from '#core/market/pair.ts'
import type { Units } from '#core/money/amount.ts'
import { unitsToDecimal } from '#core/money/decimal.ts'
import { change24h } from '#core/market/ticker.ts'
import type { Prices } from '#contract/market.ts'
import type { Queries } from '#server/db/open.ts'
import type { Candles } from './candles.ts'
import { findClock, findTickers, type StoredTicker } from './store.ts'

/** The market as this process last heard of it from the engine, wherever that runs. */
export type MarketView = {
  /** Market time. */
  now: () => Date
  ticker: (pair: Pair) => StoredTicker | undefined
  prices: () => Prices
  /** Reads what the engine wrote last. */
  refresh: () => Promise<void>
}

export function openMarketView(sql: Queries, { beginMs, candles }: { beginMs: number; candles: Candles }): MarketView {
  let tickers = new Map<Pair, StoredTicker>()
  let now = new Date(beginMs)
  return {
    now: () => now,
    ticker: (pair) => tickers.get(pair),
    prices: () => showPrices(tickers, candles),
    refresh: async () => {
      const [clock, found] = await Promise.all([findClock(sql), findTickers(sql)])
      now = clock?.marketTime ?? now
      tickers = new Map(found.map((ticker) => [ticker.pair, ticker]))
    },
  }
}

function showPrices(tickers: ReadonlyMap<Pair, StoredTicker>, candles: Candles): Prices {
  const shown = PAIRS.flatMap((pair) => {
    const ticker = tickers.get(pair)
    return ticker ? [[baseOf(pair), showPrice(ticker, candles)] as const] : []
  })
  return Object.fromEntries(shown)
}

function showPrice(ticker: StoredTicker, candles: Candles): Prices[string] {
  const { pair, price, marketTime } = ticker
  const at = marketTime.toISOString()
  const trace = lastCloses(candles, { pair, marketTime }).map((close) => unitsToDecimal(close, 8))
  return { name: ASSET_NAMES[baseOf(pair)], price: unitsToDecimal(price, 8), change24h: change24h(ticker), trace, at }
}

const TRACE_HOURS = 24

function lastCloses(candles: Candles, { pair, marketTime }: { pair: Pair; marketTime: Date }): Units[] {
  const hourMs = Math.floor(marketTime.getTime() / HOUR_MS) * HOUR_MS
  const series = candles.until(pair, hourMs)
  const closed = countBefore(series, hourMs)
  return Array.from(series.close.subarray(Math.max(0, closed - TRACE_HOURS), closed))
}
