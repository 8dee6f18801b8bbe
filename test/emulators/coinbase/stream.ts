import type { WebSocket } from 'ws'
import type { MarketStream } from '../exchange-dialect.ts'
import type { ExchangeMarket, ExchangeState } from '../exchange-state.ts'
import { microseconds } from './answer.ts'

/** The product ids by channel, and how many messages were sent. */
type Connection = { channels: Map<string, Set<string>>; sent: number }

const TICKERS = ['ticker', 'ticker_batch']
const CHANNELS = [...TICKERS, 'heartbeats']

/** Channels of tickers, one at a time or in batches, and heartbeats. */
export function coinbaseStream(state: ExchangeState): MarketStream {
  const open = new Map<WebSocket, Connection>()
  let isHushed = false
  const send = (
    socket: WebSocket,
    { channel, event }: { channel: string; event: object },
  ): void => {
    const connection = open.get(socket)
    if (isHushed || connection === undefined) return
    const timestamp = microseconds(state.clock.nowMs())
    const sequence = connection.sent
    connection.sent += 1
    socket.send(
      JSON.stringify({
        channel,
        client_id: '',
        timestamp,
        sequence_num: sequence,
        events: [event],
      }),
    )
  }
  return {
    opened: (socket) => {
      open.set(socket, { channels: new Map(), sent: 0 })
      socket.on('close', () => open.delete(socket))
    },
    heard: (socket, { type, channel, product_ids: ids }) => {
      const own = open.get(socket)
      if (own === undefined || typeof channel !== 'string' || !CHANNELS.includes(channel))
        return false
      const named = Array.isArray(ids) ? ids.map(String) : []
      const unknown = named.find((id) => !state.markets.has(id))
      if (type === 'subscribe' && unknown !== undefined) return refuse(socket, unknown)
      if (type === 'unsubscribe') own.channels.delete(channel)
      else if (type === 'subscribe')
        own.channels.set(channel, new Set([...(own.channels.get(channel) ?? []), ...named]))
      else return false
      send(socket, { channel: 'subscriptions', event: { subscriptions: subscriptionsOf(own) } })
      const markets = named.flatMap((id) => state.markets.get(id) ?? [])
      if (type === 'subscribe' && TICKERS.includes(channel))
        send(socket, { channel, event: { type: 'snapshot', tickers: markets.map(tickerOf) } })
      return true
    },
    tell: (market) => {
      for (const [socket, { channels }] of open)
        for (const channel of TICKERS)
          if (channels.get(channel)?.has(market.id))
            send(socket, { channel, event: { type: 'update', tickers: [tickerOf(market)] } })
    },
    heartbeat: () => {
      const current_time = new Date(state.clock.nowMs()).toISOString().replace('T', ' ')
      for (const [socket, { channels, sent }] of open)
        if (channels.has('heartbeats'))
          send(socket, { channel: 'heartbeats', event: { current_time, heartbeat_counter: sent } })
    },
    hush: (hushed) => (isHushed = hushed),
    sockets: () => [...open.keys()],
  }
}

/** A single unknown product makes Coinbase refuse them all. */
function refuse(socket: WebSocket, id: string): true {
  const reason = `${id} is not a valid product`
  socket.send(JSON.stringify({ type: 'error', message: 'Failed to subscribe', reason }))
  return true
}

const subscriptionsOf = ({ channels }: Connection): object =>
  Object.fromEntries([...channels].map(([channel, ids]) => [channel, [...ids]]))

function tickerOf({ id, lastPrice: last }: ExchangeMarket): object {
  return {
    type: 'ticker',
    product_id: id,
    price: last,
    volume_24_h: '16038.28770938',
    low_24_h: last,
    high_24_h: last,
    low_52_w: last,
    high_52_w: last,
    price_percent_chg_24_h: '0',
    best_bid: last,
    best_bid_quantity: '0.02000000',
    best_ask: last,
    best_ask_quantity: '0.01500000',
  }
}
