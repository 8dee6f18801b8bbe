import type { Exchange } from 'ccxt'
import { HOUR_MS, type Candle } from '#core/market/candle.ts'
import type { Pair } from '#core/market/pair.ts'
import type { Units } from '#core/money/amount.ts'
import { parseDecimal } from '#core/money/decimal.ts'
import { openExchange, type ExchangeAccess, type ExchangeName, symbolsOf } from './open-exchange.ts'

/** Public market data in the product's terms. Every call may fail; callers must retry. */
export type MarketSource = {
  timeMs: () => Promise<number>
  /**
   * Loads the markets. Must be called before the calls below, and regularly afterwards. Returns the
   * pairs traded.
   */
  load: () => Promise<readonly Pair[]>
  /**
   * At most a page of hourly candles from `fromMs` on, including the running one. The exchange may
   * return only later candles, and none of a pair that it removed.
   */
  candles: (from: { pair: Pair; fromMs: number }) => Promise<Candle[]>
  /** Leaves out pairs that the exchange has removed. */
  prices: (pairs: readonly Pair[]) => Promise<Map<Pair, Units>>
  /** Streams the last prices, in no particular order of pairs; rejects when the connection ends. */
  watch: (onPrice: (pair: Pair, price: Units) => void) => Promise<never>
  /** Ends the connection of `watch`, even if the other end is frozen. */
  drop: () => void
  /** Candles in a page. */
  pageSize: number
}

const PAGE_SIZES: Record<ExchangeName, number> = { kraken: 720, binance: 500, coinbase: 300 }

/**
 * Makes Kraken also send a ticker when the best bid or ask moves, so that silence shows a fault.
 */
const TICKER_PARAMETERS: Partial<Record<ExchangeName, object>> = {
  kraken: { event_trigger: 'bbo' },
}

/** The client is loaded with the first request, so that the start does not wait for it. */
export function marketSource(access: ExchangeAccess): MarketSource {
  const { name } = access
  let opened: Exchange | undefined
  const client = async (): Promise<Exchange> => (opened ??= await openExchange(access))
  let symbols = new Map<Pair, string>()
  const load = async () => {
    const markets = await (await client()).loadMarkets(true)
    symbols = symbolsOf(name, (symbol) => markets[symbol]?.spot === true)
    return [...symbols.keys()]
  }
  return {
    timeMs: async () => {
      const time = await (await client()).fetchTime()
      if (time === undefined || !Number.isFinite(time))
        throw new Error(`${name} did not return the time`)
      return time
    },
    load,
    candles: async ({ pair, fromMs }) => {
      const symbol = symbols.get(pair)
      if (symbol === undefined) return []
      const rows = await (await client()).fetchOHLCV(symbol, '1h', fromMs, PAGE_SIZES[name])
      return rows.flatMap((row) => parseRow(row) ?? [])
    },
    prices: async (pairs) => {
      const exchange = await client()
      const wanted = symbolsFor(pairs, symbols)
      try {
        return await pricesOf(exchange, wanted)
      } catch (error) {
        // Reloads the markets, because a single removed symbol fails the request for all symbols.
        await load()
        const left = symbolsFor(pairs, symbols)
        if (left.size === wanted.size) throw error
        return pricesOf(exchange, left)
      }
    },
    watch: async (onPrice) => watchTickers(await client(), { name, symbols, onPrice }),
    drop: () => {
      for (const { connection } of Object.values(opened?.clients ?? {})) connection?.terminate()
    },
    pageSize: PAGE_SIZES[name],
  }
}

const symbolsFor = (
  pairs: readonly Pair[],
  symbols: ReadonlyMap<Pair, string>,
): ReadonlyMap<Pair, string> => new Map([...symbols].filter(([pair]) => pairs.includes(pair)))

async function pricesOf(
  exchange: Exchange,
  symbols: ReadonlyMap<Pair, string>,
): Promise<Map<Pair, Units>> {
  // An empty list would request all markets.
  if (symbols.size === 0) return new Map()
  const tickers = await exchange.fetchTickers([...symbols.values()])
  return new Map([...symbols].flatMap(([pair, symbol]) => lastOf(tickers[symbol], pair)))
}

type Watch = {
  name: ExchangeName
  symbols: ReadonlyMap<Pair, string>
  onPrice: (pair: Pair, price: Units) => void
}

/** Reports all new tickers: the client resolves for one but may have received more. */
async function watchTickers(exchange: Exchange, { name, symbols, onPrice }: Watch): Promise<never> {
  const wanted = [...symbols.values()]
  const seen = new Map<Pair, unknown>(
    [...symbols].map(([pair, symbol]) => [pair, exchange.tickers[symbol]]),
  )
  for (;;) {
    await exchange.watchTickers(wanted, { ...TICKER_PARAMETERS[name] })
    for (const [pair, symbol] of symbols) {
      const ticker = exchange.tickers[symbol]
      if (ticker === seen.get(pair)) continue
      seen.set(pair, ticker)
      for (const [, price] of lastOf(ticker, pair)) onPrice(pair, price)
    }
  }
}

function lastOf(ticker: { last?: unknown } | undefined, pair: Pair): [Pair, Units][] {
  const price = unitsOf(ticker?.last)
  return price === undefined || price <= 0n ? [] : [[pair, price]]
}

/** Undefined for a row that is not a candle of a whole hour. */
function parseRow([time, ...prices]: readonly unknown[]): Candle | undefined {
  const openTimeMs = Number(time)
  const [open, high, low, close] = prices.map(unitsOf)
  const isWholeHour = Number.isInteger(openTimeMs / HOUR_MS)
  if (
    !isWholeHour ||
    open === undefined ||
    high === undefined ||
    low === undefined ||
    close === undefined
  )
    return undefined
  return { openTimeMs, open, high, low, close }
}

const unitsOf = (value: unknown): Units | undefined => parseDecimal(String(value))

/**
 * Milliseconds by which this machine's clock is at least behind the exchange's; below 0 if ahead.
 * The exchange read its clock some time between request and answer, so a slow answer shows no
 * certain difference.
 */
export async function measureSkew(
  source: Pick<MarketSource, 'timeMs'>,
  now: () => Date,
): Promise<number> {
  const beforeMs = now().getTime()
  const theirsMs = await source.timeMs()
  const afterMs = now().getTime()
  if (theirsMs < beforeMs) return Math.round(theirsMs - beforeMs)
  return Math.round(Math.max(0, theirsMs - afterMs))
}
