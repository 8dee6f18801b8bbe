import type { ExchangeSide, RestAnswer, RestRequest } from './exchange-side.ts'
import { latestCandles, type PrintedCandle } from './exchange-candles.ts'
import type { ExchangeMarket, ExchangeState } from './exchange-state.ts'
import { marketStream, type MarketStream } from './exchange-stream.ts'

/** Faults of the exchange. */
export type MarketFaults = {
  /** New websockets are refused. */
  refusesSockets: boolean
  /** Sockets are closed this long after they opened. */
  closesAfterMs: number | undefined
  /** These REST calls fail, or never answer. */
  failing: readonly string[]
  hanging: readonly string[]
  /** Public calls answered per second, and at once. */
  callsPerSecond: number
  /** Changes the candles in responses: their order, holes, duplicates. */
  candles: (candles: PrintedCandle[], market: ExchangeMarket) => PrintedCandle[]
}

/** The exchange's public prices and candles. */
export type MarketSide = ExchangeSide & {
  faults: MarketFaults
  /** Makes a trade at `price` and notifies all subscribers. */
  trade: (symbol: string, price?: string) => void
  /** Every market trades at its last price, now. */
  tradeAll: () => void
  /** Wall-clock times of all attempted websockets, including refused ones. */
  socketsAskedMs: number[]
  /** The names of the public calls, in order, and how many were refused by the rate limit. */
  calls: string[]
  tooMany: () => number
  /** Whether a new socket is accepted. */
  admits: () => boolean
  /** The socket sends nothing more, but answers pings. */
  hush: (isHushed: boolean) => void
  sockets: MarketStream['sockets']
}

const HEARTBEAT_MS = 1_000

export function marketSide(state: ExchangeState): MarketSide {
  const stream = marketStream(state)
  const beat = setInterval(stream.heartbeat, HEARTBEAT_MS)
  const calls: string[] = []
  const limiter = openLimiter()
  const socketsAskedMs: number[] = []
  const faults: MarketFaults = {
    refusesSockets: false,
    closesAfterMs: undefined,
    failing: [],
    hanging: [],
    callsPerSecond: Number.POSITIVE_INFINITY,
    candles: (candles) => candles,
  }
  const trade = (symbol: string, price?: string): void => {
    const market = [...state.markets.values()].find((each) => each.symbol === symbol)
    if (!market) throw new Error(`no market ${symbol}`)
    market.lastPrice = price ?? market.lastPrice
    stream.tell(market)
  }
  return {
    rest: (request) => {
      if (request.access !== 'public') return undefined
      calls.push(request.name)
      if (limiter.isExceeded(faults.callsPerSecond))
        return { error: ['EGeneral:Too many requests'] }
      if (faults.hanging.includes(request.name)) return 'hang'
      if (faults.failing.includes(request.name))
        return { status: 503, error: ['EService:Unavailable'] }
      return answer({ state, faults, request })
    },
    socketOpened: (socket, path) => {
      if (path !== '/v2') return
      stream.opened(socket)
      if (faults.closesAfterMs !== undefined) setTimeout(() => socket.close(), faults.closesAfterMs)
    },
    socketMessage: stream.heard,
    close: () => clearInterval(beat),
    faults,
    calls,
    tooMany: limiter.refused,
    socketsAskedMs,
    admits: () => {
      socketsAskedMs.push(Date.now())
      return !faults.refusesSockets
    },
    hush: stream.hush,
    sockets: stream.sockets,
    trade,
    tradeAll: () => {
      for (const { symbol } of state.markets.values()) trade(symbol)
    },
  }
}

/** Calls allowed at once: starts overlap, for instance a probe and the client after it. */
const BURST = 5

/** A token bucket: capacity in calls, refill per second. */
function openLimiter(): { isExceeded: (callsPerSecond: number) => boolean; refused: () => number } {
  let [left, countedMs, refused] = [BURST, Date.now(), 0]
  return {
    isExceeded: (callsPerSecond) => {
      if (!Number.isFinite(callsPerSecond)) return false
      left = Math.min(BURST, left + ((Date.now() - countedMs) / 1_000) * callsPerSecond)
      countedMs = Date.now()
      const isExceeded = left < 1
      if (isExceeded) refused += 1
      else left -= 1
      return isExceeded
    },
    refused: () => refused,
  }
}

type Asking = { state: ExchangeState; faults: MarketFaults; request: RestRequest }

function answer({ state, faults, request: { name, query } }: Asking): RestAnswer | undefined {
  const nowMs = state.clock.nowMs()
  if (name === 'Time')
    return {
      result: { unixtime: Math.floor(nowMs / 1_000), rfc1123: new Date(nowMs).toUTCString() },
    }
  if (name === 'SystemStatus')
    return { result: { status: 'online', timestamp: new Date(nowMs).toISOString() } }
  if (name === 'AssetPairs')
    return {
      result: Object.fromEntries([...state.markets].map(([id, market]) => [id, describe(market)])),
    }
  if (name === 'Assets') return { result: assetsOf(state) }
  if (name === 'Ticker') return answerTicker(state, query)
  if (name === 'OHLC') return answerCandles(state, faults, query)
  return undefined
}

const UNKNOWN_PAIR: RestAnswer = { error: ['EQuery:Unknown asset pair'] }

function answerTicker(state: ExchangeState, query: URLSearchParams): RestAnswer {
  const ids = query.get('pair')?.split(',') ?? [...state.markets.keys()]
  const markets = ids.map((id) => state.markets.get(id))
  if (markets.some((market) => market === undefined)) return UNKNOWN_PAIR
  const tickers = markets.flatMap((market) =>
    market ? [[market.id, tickerOf(market)] as const] : [],
  )
  return { result: Object.fromEntries(tickers) }
}

/** Kraken prints tickers with at least five decimals, whatever the market's own precision. */
const TICKER_DECIMALS = 5

function tickerOf({ lastPrice, priceDecimals }: ExchangeMarket): Record<string, unknown> {
  const last = Number(lastPrice).toFixed(Math.max(TICKER_DECIMALS, priceDecimals))
  return {
    a: [last, '1', '1.000'],
    b: [last, '1', '1.000'],
    c: [last, '0.00160710'],
    v: ['165.16072288', '598.03698452'],
    p: [last, last],
    t: [6_405, 21_103],
    l: [last, last],
    h: [last, last],
    o: last,
  }
}

/** The candles after `since`, and always the running one. */
function answerCandles(
  state: ExchangeState,
  faults: MarketFaults,
  query: URLSearchParams,
): RestAnswer {
  const market = state.markets.get(query.get('pair') ?? '')
  if (!market) return UNKNOWN_PAIR
  if (query.get('interval') !== '60') return { error: ['EGeneral:Invalid arguments'] }
  const sinceMs = Number(query.get('since') ?? 0) * 1_000
  const candles = faults.candles(
    latestCandles(state, market).filter(({ openTimeMs }) => openTimeMs > sinceMs),
    market,
  )
  const rows = candles.map(({ openTimeMs, open, high, low, close }) => [
    openTimeMs / 1_000,
    open,
    high,
    low,
    close,
    close,
    '1.50000000',
    3,
  ])
  return { result: { [market.id]: rows, last: (candles.at(-2)?.openTimeMs ?? sinceMs) / 1_000 } }
}

function assetsOf(state: ExchangeState): Record<string, unknown> {
  const named = [...state.markets.values()].map(
    ({ base, wsname }) => [base, wsname.split('/')[0]] as const,
  )
  const assets = [...named, ['ZUSD', 'USD'] as const]
  return Object.fromEntries(
    assets.map(([id, altname]) => [
      id,
      {
        aclass: 'currency',
        altname,
        decimals: id === 'ZUSD' ? 4 : 10,
        display_decimals: 5,
        status: 'enabled',
      },
    ]),
  )
}

function describe(market: ExchangeMarket): Record<string, unknown> {
  return {
    altname: market.altname,
    wsname: market.wsname,
    aclass_base: 'currency',
    base: market.base,
    aclass_quote: 'currency',
    quote: market.quote,
    lot: 'unit',
    cost_decimals: 5,
    pair_decimals: market.priceDecimals,
    lot_decimals: market.lotDecimals,
    lot_multiplier: 1,
    leverage_buy: [],
    leverage_sell: [],
    fees: [[0, market.takerFeePercent]],
    fees_maker: [[0, market.takerFeePercent]],
    fee_volume_currency: 'ZUSD',
    margin_call: 80,
    margin_stop: 40,
    ordermin: market.minimumLot,
    costmin: market.minimumCost,
    tick_size: (10 ** -market.priceDecimals).toFixed(market.priceDecimals),
    status: market.status,
  }
}
