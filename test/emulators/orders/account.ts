import type { Exchange as Client } from 'ccxt'
import { openExchange } from '#server/exchange/open-exchange.ts'
import { startExchange, type Exchange } from '../exchange.ts'
import { orderSide, type OrderSide, type OrderSideOptions } from '../exchange-orders.ts'

const KEYS = {
  key: 'emulated',
  secret: Buffer.from('the secret of the emulated account').toString('base64'),
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

export async function openAccount(options: Partial<OrderSideOptions> = {}): Promise<Account> {
  const exchange = await startExchange()
  const limits = { calls: UNLIMITED, orders: UNLIMITED }
  const side = orderSide(exchange, {
    ...KEYS,
    balances: { ZUSD: '10000', XXBT: '1' },
    limits,
    ...options,
  })
  exchange.add(side)
  const client = await openClient(exchange)
  return {
    exchange,
    side,
    client,
    place: ({
      symbol = 'BTC/USD',
      type = 'market',
      side: direction = 'buy',
      amount = 0.01,
      price,
      params = {},
    } = {}) => client.createOrder(symbol, type, direction, amount, price, params),
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

async function openClient({ restUrl, wsUrl }: Exchange): Promise<Client> {
  const client = await openExchange({
    name: 'kraken',
    restUrl,
    wsUrl,
    apiKey: KEYS.key,
    secret: KEYS.secret,
    rateLimitMs: 1,
  })
  // The client's own nonce is the current millisecond, so two requests in one millisecond would
  // collide.
  let nonce = Date.now()
  client.nonce = () => (nonce += 1)
  await client.loadMarkets()
  return client
}
