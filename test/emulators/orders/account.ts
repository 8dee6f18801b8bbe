import type { Exchange as Client } from 'ccxt'
import { openExchange } from '#server/exchange/open-exchange.ts'
import { startExchange, type Exchange } from '../exchange.ts'
import { orderSide, type OrderSide, type OrderSideOptions } from '../exchange-orders.ts'
import type { ExchangeName } from '../exchange-state.ts'
import { KEYS } from './keys.ts'

/** Where the official client trades bitcoin for money. */
export const BITCOIN: Readonly<Record<ExchangeName, string>> = {
  kraken: 'BTC/USD',
  binance: 'BTC/USDT',
  coinbase: 'BTC/USD',
}

export const UNLIMITED = { most: Number.MAX_SAFE_INTEGER, decayPerSecond: 1 }

type Order = {
  symbol?: string
  type?: 'market' | 'limit'
  side?: 'buy' | 'sell'
  amount?: number
  price?: number
  params?: object
}

type Placed = ReturnType<Client['createOrder']>
type Found = ReturnType<Client['fetchOrders']>

/** A funded account at its own emulated exchange, and the official client with its keys. */
export type Account = {
  exchange: Exchange
  side: OrderSide
  client: Client
  /** By default, buys a hundredth of a bitcoin at the market's price. */
  place: (order?: Order) => Placed
  closedUnder: (clientOrderId: string) => Found
  openUnder: (clientOrderId: string) => Found
  /** A raw call, without the client's corrections. */
  call: (name: string, form: Record<string, string>) => Promise<unknown>
  close: () => Promise<void>
}

export async function openAccount({
  name = 'kraken',
  ...options
}: Partial<OrderSideOptions> & { name?: ExchangeName } = {}): Promise<Account> {
  const exchange = await startExchange({ name })
  const bitcoin = [...exchange.markets.values()][0]?.base ?? ''
  const side = orderSide(exchange, {
    ...KEYS[name],
    balances: { [exchange.money]: '10000', [bitcoin]: '1' },
    limits: { calls: UNLIMITED, orders: UNLIMITED },
    ...options,
  })
  exchange.add(side)
  const client = await openClient(exchange)
  // Without this flag, Kraken charges the fee of a sale in coins.
  const usual = name === 'kraken' ? { oflags: 'fciq' } : {}
  return {
    exchange,
    side,
    client,
    place: ({
      symbol = BITCOIN[name],
      type = 'market',
      side: direction = 'buy',
      amount = 0.01,
      price,
      params = {},
    } = {}) => client.createOrder(symbol, type, direction, amount, price, { ...usual, ...params }),
    closedUnder: (clientOrderId) =>
      client.fetchClosedOrders(undefined, undefined, undefined, { clientOrderId, trades: true }),
    openUnder: (clientOrderId) =>
      client.fetchOpenOrders(undefined, undefined, undefined, { clientOrderId }),
    call: (name, form) => client.request(name, 'private', 'POST', form),
    close: async () => {
      await client.close()
      await exchange.close()
    },
  }
}

async function openClient({ name, restUrl, wsUrl }: Exchange): Promise<Client> {
  const { key: apiKey, secret } = KEYS[name]
  const client = await openExchange({ name, restUrl, wsUrl, apiKey, secret, rateLimitMs: 1 })
  await client.loadMarkets()
  if (name !== 'kraken') return client
  // The client's own nonce is the current millisecond, so two requests in one millisecond would
  // collide.
  let nonce = Date.now()
  client.nonce = () => (nonce += 1)
  return client
}
