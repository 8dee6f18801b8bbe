import type { PrintedCandle } from './exchange-candles.ts'
import type { Dialect, MarketStream } from './exchange-dialect.ts'
import type { ExchangeSide } from './exchange-side.ts'
import type { ExchangeMarket, ExchangeState } from './exchange-state.ts'

/** Faults of the exchange. */
export type MarketFaults = {
  /** New websockets are refused. */
  refusesSockets: boolean
  /** Sockets are closed this time after they opened. */
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
  /** Makes a trade at the last price in every market. */
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

export function marketSide(state: ExchangeState, dialect: Dialect): MarketSide {
  const stream = dialect.stream(state)
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
      if (limiter.isExceeded(faults.callsPerSecond)) return dialect.tooManyCalls
      if (faults.hanging.includes(request.name)) return 'hang'
      if (faults.failing.includes(request.name)) return dialect.unavailable
      return dialect.market({ state, candles: faults.candles, request })
    },
    socketOpened: (socket, path) => {
      stream.opened(socket, path)
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

/** Calls allowed at once, because starts overlap: for example, a probe and the client after it. */
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
