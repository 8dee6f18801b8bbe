/** State shared by all parts of the emulated exchange: its clock and its markets. */
export type ExchangeState = {
  clock: ExchangeClock
  /** By Kraken's id: 'XXBTZUSD'. */
  markets: Map<string, ExchangeMarket>
}

/** The exchange's own time. It follows the wall clock unless a test stops it or lets it jump. */
export type ExchangeClock = {
  nowMs: () => number
  jumpBy: (ms: number) => void
  /** Stops at `ms` until the next jump. */
  stopAt: (ms: number) => void
}

export type ExchangeMarket = {
  id: string
  /** 'XBTUSD' in Kraken's REST API. */
  altname: string
  /** 'XBT/USD': the name in the older websocket. */
  wsname: string
  /** 'BTC/USD': the name in websocket v2 and in the product. */
  symbol: string
  /** Kraken's ids of the assets: 'XXBT', 'ZUSD'. */
  base: string
  quote: string
  priceDecimals: number
  lotDecimals: number
  /** Smallest order, in base asset and in quote. */
  minimumLot: string
  minimumCost: string
  /** Taker fee, in percent of an order's cost. */
  takerFeePercent: number
  status: 'online' | 'cancel_only' | 'post_only' | 'limit_only' | 'reduce_only'
  /** The last trade, as a decimal. */
  lastPrice: string
  /** The first price, which the candles lie around. */
  firstPrice: string
}

/** Ids are Kraken's: old assets carry an X, money a Z. */
const ASSETS: readonly [
  name: string,
  id: string,
  altname: string,
  price: string,
  priceDecimals: number,
][] = [
  ['BTC', 'XXBT', 'XBT', '60000.0', 1],
  ['ETH', 'XETH', 'ETH', '3000.00', 2],
  ['ADA', 'ADA', 'ADA', '0.500000', 6],
  ['DOT', 'DOT', 'DOT', '5.0000', 4],
  ['SOL', 'SOL', 'SOL', '150.00', 2],
  ['AVAX', 'AVAX', 'AVAX', '30.00', 2],
  ['POL', 'POL', 'POL', '0.4000', 4],
  ['LINK', 'LINK', 'LINK', '14.00000', 5],
  ['UNI', 'UNI', 'UNI', '8.000', 3],
  ['LTC', 'XLTC', 'LTC', '80.00', 2],
  ['XRP', 'XXRP', 'XRP', '0.60000', 5],
  ['BNB', 'BNB', 'BNB', '600.00', 2],
]

export function createExchangeState({
  startMs = Date.now(),
}: { startMs?: number } = {}): ExchangeState {
  return {
    clock: clockFrom(startMs),
    markets: new Map(ASSETS.map(marketOf).map((market) => [market.id, market])),
  }
}

function marketOf([
  name,
  base,
  altname,
  lastPrice,
  priceDecimals,
]: (typeof ASSETS)[number]): ExchangeMarket {
  const hasOldId = base !== altname
  return {
    id: hasOldId ? `${base}ZUSD` : `${altname}USD`,
    altname: `${altname}USD`,
    wsname: `${altname}/USD`,
    symbol: `${name}/USD`,
    base,
    quote: 'ZUSD',
    priceDecimals,
    lotDecimals: 8,
    minimumLot: name === 'BTC' ? '0.00005' : '0.002',
    minimumCost: '0.5',
    takerFeePercent: 0.4,
    status: 'online',
    lastPrice,
    firstPrice: lastPrice,
  }
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
