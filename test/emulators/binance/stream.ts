import type { WebSocket } from 'ws'
import { HOUR_MS } from '#core/market/candle.ts'
import type { MarketStream } from '../exchange-dialect.ts'
import type { ExchangeMarket, ExchangeState } from '../exchange-state.ts'
import { partsOf } from '../orders/decimals.ts'
import { eight } from './answer.ts'

type Connection = { streams: Set<string>; isCombined: boolean }

/** Binance sends a ping every twenty seconds. */
const PING_BEATS = 20

/** Streams of tickers, full and small, alone at /ws or combined at /stream. */
export function binanceStream(state: ExchangeState): MarketStream {
  const open = new Map<WebSocket, Connection>()
  let isHushed = false
  let beats = 0
  const send = (socket: WebSocket, message: object): void => {
    if (!isHushed) socket.send(JSON.stringify(message))
  }
  return {
    opened: (socket, path) => {
      const { pathname, searchParams } = new URL(path, 'ws://exchange')
      const asked = searchParams.get('streams') ?? pathname.replace(/^\/ws\/?/, '')
      if (!/^\/(ws|stream)(\/|$)/.test(pathname)) return
      const streams = new Set(asked.split('/').filter((each) => each.includes('@')))
      open.set(socket, { streams, isCombined: pathname.startsWith('/stream') })
      socket.on('close', () => open.delete(socket))
    },
    heard: (socket, message) => {
      const connection = open.get(socket)
      const result = connection && control(connection, message)
      if (result === undefined) return false
      send(socket, { result, id: message['id'] })
      return true
    },
    tell: (market) => {
      for (const [socket, { streams, isCombined }] of open)
        for (const kind of ['miniTicker', 'ticker'] as const) {
          const stream = `${market.id.toLowerCase()}@${kind}`
          if (!streams.has(stream)) continue
          const data = eventOf(market, { kind, nowMs: Math.floor(state.clock.nowMs()) })
          send(socket, isCombined ? { stream, data } : data)
        }
    },
    heartbeat: () => {
      beats += 1
      if (beats % PING_BEATS === 0 && !isHushed) for (const socket of open.keys()) socket.ping()
    },
    hush: (hushed) => (isHushed = hushed),
    sockets: () => [...open.keys()],
  }
}

/** Null if there is nothing to report; undefined for an unknown method. */
function control(
  { streams }: Connection,
  { method, params }: Record<string, unknown>,
): string[] | null | undefined {
  const named = Array.isArray(params) ? params.map(String) : []
  if (method === 'LIST_SUBSCRIPTIONS') return [...streams]
  if (method !== 'SUBSCRIBE' && method !== 'UNSUBSCRIBE') return undefined
  for (const each of named) {
    if (method === 'SUBSCRIBE') streams.add(each)
    else streams.delete(each)
  }
  return null
}

function eventOf(
  { id, lastPrice }: ExchangeMarket,
  { kind, nowMs }: { kind: 'miniTicker' | 'ticker'; nowMs: number },
): object {
  const last = eight(partsOf(lastPrice))
  const small = { E: nowMs, s: id, c: last, o: last, h: last, l: last, v: '10000', q: '18' }
  if (kind === 'miniTicker') return { e: '24hrMiniTicker', ...small }
  return {
    e: '24hrTicker',
    ...small,
    p: '0.00000000',
    P: '0.000',
    w: last,
    x: last,
    Q: '10',
    b: last,
    B: '10',
    a: last,
    A: '100',
    O: nowMs - 24 * HOUR_MS,
    C: nowMs,
    F: 0,
    L: 18_150,
    n: 18_151,
  }
}
