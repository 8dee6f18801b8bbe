/** State shared by all parts of an emulated exchange: its clock and its markets. */
export type ExchangeState = {
  name: ExchangeName
  clock: ExchangeClock
  /** Markets by the exchange's id: 'XXBTZUSD', 'BTCUSDT', 'BTC-USD'. */
  markets: Map<string, ExchangeMarket>
  /** The asset that everything is bought with: 'ZUSD', 'USDT', 'USD'. */
  money: string
}

export type ExchangeName = 'kraken' | 'binance' | 'coinbase'

/**
 * The exchange's own time, by which it also checks requests. Follows the wall clock unless a test
 * stops it or makes it jump, for example by a second, to differ from our clock.
 */
export type ExchangeClock = {
  nowMs: () => number
  jumpBy: (ms: number) => void
  /** Stops at `ms` until the next jump. */
  stopAt: (ms: number) => void
}

/** Statuses in the words of Kraken, Binance and Coinbase; 'online' means open for each of them. */
export type MarketStatus =
  | 'online'
  | 'cancel_only'
  | 'post_only'
  | 'limit_only'
  | 'reduce_only'
  | 'END_OF_DAY'
  | 'HALT'
  | 'BREAK'
  | 'CANCEL_ONLY'
  | 'trading_disabled'
  | 'auction_mode'
  | 'view_only'
  | 'delisted'

export type ExchangeMarket = {
  id: string
  /** 'XBTUSD' in Kraken's REST API; elsewhere the id. */
  altname: string
  /** 'XBT/USD': the name in Kraken's older websocket; elsewhere the symbol. */
  wsname: string
  /** 'BTC/USD': the name in the official client. */
  symbol: string
  /** The exchange's ids of the assets: 'XXBT', 'ZUSD'. */
  base: string
  quote: string
  priceDecimals: number
  lotDecimals: number
  /** Smallest order, in base asset and in quote. */
  minimumLot: string
  minimumCost: string
  /** Taker fee, in percent of an order's cost. */
  takerFeePercent: number
  status: MarketStatus
  /** The last trade, as a decimal. */
  lastPrice: string
  /** The first price, around which the candles lie. */
  firstPrice: string
}

type Asset = {
  name: string
  firstPrice: number
  /** Decimals of its prices, and of its lots where they are not eight. */
  kraken: number
  binance: readonly [price: number, lot: number]
  coinbase: number
}

/** Binance's steps of BTC, ETH, ADA and LTC and Coinbase's of BTC and ETH are recorded. */
const ASSETS: readonly Asset[] = [
  { name: 'BTC', firstPrice: 60_000, kraken: 1, binance: [2, 5], coinbase: 2 },
  { name: 'ETH', firstPrice: 3_000, kraken: 2, binance: [2, 4], coinbase: 2 },
  { name: 'ADA', firstPrice: 0.5, kraken: 6, binance: [4, 1], coinbase: 4 },
  { name: 'DOT', firstPrice: 5, kraken: 4, binance: [3, 2], coinbase: 3 },
  { name: 'SOL', firstPrice: 150, kraken: 2, binance: [2, 3], coinbase: 2 },
  { name: 'AVAX', firstPrice: 30, kraken: 2, binance: [2, 2], coinbase: 2 },
  { name: 'POL', firstPrice: 0.4, kraken: 4, binance: [4, 1], coinbase: 4 },
  { name: 'LINK', firstPrice: 14, kraken: 5, binance: [2, 2], coinbase: 3 },
  { name: 'UNI', firstPrice: 8, kraken: 3, binance: [3, 2], coinbase: 3 },
  { name: 'LTC', firstPrice: 80, kraken: 2, binance: [2, 3], coinbase: 2 },
  { name: 'XRP', firstPrice: 0.6, kraken: 5, binance: [4, 1], coinbase: 4 },
  { name: 'BNB', firstPrice: 600, kraken: 2, binance: [2, 3], coinbase: 2 },
]

type Rules = Pick<
  ExchangeMarket,
  | 'id'
  | 'altname'
  | 'wsname'
  | 'symbol'
  | 'base'
  | 'quote'
  | 'lotDecimals'
  | 'priceDecimals'
  | 'minimumLot'
  | 'minimumCost'
  | 'takerFeePercent'
>

const RULES: Readonly<Record<ExchangeName, { money: string; rulesOf: (asset: Asset) => Rules }>> = {
  kraken: { money: 'ZUSD', rulesOf: krakenRules },
  binance: { money: 'USDT', rulesOf: binanceRules },
  coinbase: { money: 'USD', rulesOf: coinbaseRules },
}

export function createExchangeState({
  name = 'kraken',
  startMs = Date.now(),
}: { name?: ExchangeName; startMs?: number } = {}): ExchangeState {
  const { money, rulesOf } = RULES[name]
  const markets = ASSETS.map((asset): ExchangeMarket => {
    const rules = rulesOf(asset)
    const firstPrice = asset.firstPrice.toFixed(rules.priceDecimals)
    return { ...rules, status: 'online', lastPrice: firstPrice, firstPrice }
  })
  return {
    name,
    clock: clockFrom(startMs),
    markets: new Map(markets.map((market) => [market.id, market])),
    money,
  }
}

/** Ids of old assets carry an X, money a Z. */
const OLD_IDS: Readonly<Record<string, readonly [id: string, altname: string]>> = {
  BTC: ['XXBT', 'XBT'],
  ETH: ['XETH', 'ETH'],
  LTC: ['XLTC', 'LTC'],
  XRP: ['XXRP', 'XRP'],
}

function krakenRules({ name, kraken }: Asset): Rules {
  const [base, altname] = OLD_IDS[name] ?? [name, name]
  return {
    id: base === altname ? `${altname}USD` : `${base}ZUSD`,
    altname: `${altname}USD`,
    wsname: `${altname}/USD`,
    symbol: `${name}/USD`,
    base,
    quote: 'ZUSD',
    priceDecimals: kraken,
    lotDecimals: 8,
    minimumLot: name === 'BTC' ? '0.00005' : '0.002',
    minimumCost: '0.5',
    takerFeePercent: 0.4,
  }
}

function binanceRules({ name, binance: [priceDecimals, lotDecimals] }: Asset): Rules {
  return {
    ...named(`${name}USDT`, { base: name, quote: 'USDT' }),
    priceDecimals,
    lotDecimals,
    minimumLot: (10 ** -lotDecimals).toFixed(8),
    minimumCost: '5.00000000',
    takerFeePercent: 0.1,
  }
}

function coinbaseRules({ name, coinbase }: Asset): Rules {
  return {
    ...named(`${name}-USD`, { base: name, quote: 'USD' }),
    priceDecimals: coinbase,
    lotDecimals: 8,
    minimumLot: '0.00000001',
    minimumCost: '1',
    takerFeePercent: 0.4,
  }
}

function named(id: string, { base, quote }: { base: string; quote: string }) {
  const symbol = `${base}/${quote}`
  return { id, altname: id, wsname: symbol, symbol, base, quote }
}

function clockFrom(startMs: number): ExchangeClock {
  let offsetMs = startMs - Date.now()
  let standingMs: number | undefined
  return {
    nowMs: () => standingMs ?? Date.now() + offsetMs,
    jumpBy: (ms) => {
      if (standingMs === undefined) offsetMs += ms
      else standingMs += ms
    },
    stopAt: (ms) => (standingMs = ms),
  }
}
