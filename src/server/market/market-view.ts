import { ASSET_NAMES } from '#core/money/asset.ts'
import { baseOf, PAIRS, type Pair } from '#core/market/pair.ts'
import { unitsToDecimal } from '#core/money/decimal.ts'
import { change24h } from '#core/market/ticker.ts'
import type { Prices } from '#contract/market.ts'
import type { Queries } from '#server/db/open.ts'
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

export function openMarketView(sql: Queries, { beginMs }: { beginMs: number }): MarketView {
  let tickers = new Map<Pair, StoredTicker>()
  let now = new Date(beginMs)
  return {
    now: () => now,
    ticker: (pair) => tickers.get(pair),
    prices: () => showPrices(tickers),
    refresh: async () => {
      const [clock, found] = await Promise.all([findClock(sql), findTickers(sql)])
      now = clock?.marketTime ?? now
      tickers = new Map(found.map((ticker) => [ticker.pair, ticker]))
    },
  }
}

function showPrices(tickers: ReadonlyMap<Pair, StoredTicker>): Prices {
  const shown = PAIRS.flatMap((pair) => {
    const ticker = tickers.get(pair)
    return ticker ? [[baseOf(pair), showPrice(ticker)] as const] : []
  })
  return Object.fromEntries(shown)
}

function showPrice(ticker: StoredTicker): Prices[string] {
  const { pair, price, marketTime } = ticker
  return { name: ASSET_NAMES[baseOf(pair)], price: unitsToDecimal(price, 8), change24h: change24h(ticker), at: marketTime.toISOString() }
}
