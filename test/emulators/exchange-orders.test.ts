import { afterEach, beforeEach, expect, test } from 'vitest'
import { openExchange } from '#server/exchange/open-exchange.ts'
import { startExchange, type Exchange } from './exchange.ts'
import { orderSide, type OrderSide } from './exchange-orders.ts'

const KEYS = { key: 'emulated', secret: Buffer.from('the secret of the emulated account').toString('base64') }

let exchange: Exchange
let side: OrderSide
let client: Awaited<ReturnType<typeof openExchange>>

beforeEach(async () => {
  exchange = await startExchange()
  side = orderSide(exchange, { ...KEYS, balances: { ZUSD: '10000', XXBT: '1' } })
  exchange.add(side)
  client = await openExchange({ name: 'kraken', restUrl: exchange.restUrl, wsUrl: exchange.wsUrl, apiKey: KEYS.key, secret: KEYS.secret, rateLimitMs: 10 })
  await client.loadMarkets()
})

afterEach(async () => {
  await client.close()
  await exchange.close()
})

test('a market order trades at the last price, pays the fee in dollars, and moves both balances', async () => {
  const placed = await client.createOrder('BTC/USD', 'market', 'buy', 0.01, undefined, { clientOrderId: 'block-1' })
  const [order] = await client.fetchClosedOrders(undefined, undefined, undefined, { clientOrderId: 'block-1', trades: true })
  expect(order).toMatchObject({ id: placed.id, clientOrderId: 'block-1', status: 'closed', filled: '0.01000000', average: '60000.00000' })
  expect(side.orders()).toMatchObject([{ executed: '0.01000000', cost: '600.00000', fee: '2.40000', status: 'closed' }])
  expect(side.balances()).toEqual({ ZUSD: '9397.6000000000', XXBT: '1.0100000000' })
})
