import type { WebSocket } from 'ws'
import { latestCandles } from '../exchange-candles.ts'
import type { MarketStream } from '../exchange-dialect.ts'
import type { ExchangeMarket, ExchangeState } from '../exchange-state.ts'

type Subscriptions = Set<string>
type Asked = {
  channel?: string
  symbol?: string[]
  interval?: number
  snapshot?: boolean
  event_trigger?: string
}

const CHANNELS = ['ticker', 'ohlc', 'trade']

/** Websocket v2: status, subscriptions with their snapshots, updates, heartbeats, pings. */
export function krakenStream(state: ExchangeState): MarketStream {
  const open = new Map<WebSocket, Subscriptions>()
  let isHushed = false
  const send = (socket: WebSocket, message: object): void => {
    if (!isHushed) socket.send(JSON.stringify(message))
  }
  return {
    opened: (socket, path) => {
      if (path !== '/v2') return
      open.set(socket, new Set())
      socket.on('close', () => open.delete(socket))
      send(socket, {
        channel: 'status',
        type: 'update',
        data: [
          { version: '2.0.10', system: 'online', api_version: 'v2', connection_id: open.size },
        ],
      })
    },
    heard: (socket, { method, params, req_id: requestId }) => {
      const own = open.get(socket)
      if (method === 'ping')
        socket.send(JSON.stringify({ method: 'pong', req_id: requestId, ...times(state) }))
      else if (method === 'subscribe' && own && CHANNELS.includes((params as Asked).channel ?? ''))
        subscribe({
          state,
          own,
          params: params as Asked,
          requestId,
          say: (message) => send(socket, message),
        })
      else return false
      return true
    },
    tell: (market) => {
      const message = tickerMessage(market, 'update')
      for (const [socket, own] of open)
        if (own.has(`ticker ${market.symbol}`)) send(socket, message)
    },
    heartbeat: () => {
      for (const [socket, own] of open) if (own.size > 0) send(socket, { channel: 'heartbeat' })
    },
    hush: (hushed) => (isHushed = hushed),
    sockets: () => [...open.keys()],
  }
}

type Subscribing = {
  state: ExchangeState
  own: Subscriptions
  params: Asked
  requestId: unknown
  say: (message: object) => void
}

/** One acknowledgement per symbol, then its snapshot. */
function subscribe({ state, own, params, requestId, say }: Subscribing): void {
  const { channel = '', symbol: symbols = [], snapshot = true, ...options } = params
  for (const symbol of symbols) {
    const market = [...state.markets.values()].find((each) => each.symbol === symbol)
    const key = `${channel} ${symbol}`
    const error =
      market === undefined
        ? `Currency pair not supported ${symbol}`
        : own.has(key)
          ? 'Already subscribed'
          : undefined
    if (market === undefined || error !== undefined) {
      say({
        error,
        method: 'subscribe',
        req_id: requestId,
        success: false,
        symbol,
        ...times(state),
      })
      continue
    }
    own.add(key)
    say({
      method: 'subscribe',
      req_id: requestId,
      result: { channel, snapshot, symbol, ...options },
      success: true,
      ...times(state),
    })
    if (snapshot && channel === 'ticker') say(tickerMessage(market, 'snapshot'))
    if (snapshot && channel === 'ohlc') say(ohlcMessage(state, market, params.interval ?? 1))
  }
}

function tickerMessage(market: ExchangeMarket, type: 'snapshot' | 'update'): object {
  const last = Number(market.lastPrice)
  const data = {
    symbol: market.symbol,
    bid: last,
    bid_qty: 1,
    ask: last,
    ask_qty: 1,
    last,
    volume: 100,
    vwap: last,
    low: last,
    high: last,
    change: 0,
    change_pct: 0,
  }
  return { channel: 'ticker', type, data: [data] }
}

function ohlcMessage(state: ExchangeState, market: ExchangeMarket, interval: number): object {
  const data = latestCandles(state, market).map(({ openTimeMs, open, high, low, close }) => ({
    symbol: market.symbol,
    open: Number(open),
    high: Number(high),
    low: Number(low),
    close: Number(close),
    trades: 3,
    volume: 1.5,
    vwap: Number(close),
    interval_begin: new Date(openTimeMs).toISOString().replace('.000Z', '.000000000Z'),
    interval,
    timestamp: new Date(openTimeMs + interval * 60_000).toISOString(),
  }))
  return {
    channel: 'ohlc',
    type: 'snapshot',
    timestamp: new Date(state.clock.nowMs()).toISOString(),
    data,
  }
}

function times(state: ExchangeState): { time_in: string; time_out: string } {
  const now = new Date(state.clock.nowMs()).toISOString()
  return { time_in: now, time_out: now }
}
