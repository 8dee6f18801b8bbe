import type { Exchange as Client } from 'ccxt'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openExchange } from '#server/exchange/open-exchange.ts'
import { startExchange, type Exchange } from './exchange.ts'
import { orderSide, type OrderFault, type OrderSide } from './exchange-orders.ts'

const KEYS = { key: 'emulated', secret: Buffer.from('the secret of the emulated account').toString('base64') }
const UNLIMITED = { most: Number.MAX_SAFE_INTEGER, decayPerSecond: 1 }

let exchange: Exchange
let side: OrderSide
let client: Client

beforeEach(() => openAccount())

afterEach(async () => {
  await client.close()
  await exchange.close()
})

/** An exchange, an account with money there, and the official client that has its keys. */
async function openAccount(options: Partial<Parameters<typeof orderSide>[1]> = {}): Promise<void> {
  exchange = await startExchange()
  side = orderSide(exchange, { ...KEYS, balances: { ZUSD: '10000', XXBT: '1' }, limits: { calls: UNLIMITED, orders: UNLIMITED }, ...options })
  exchange.add(side)
  client = await openClient()
}

/** As `openAccount`, in place of the account that every test begins with. */
async function openAnother(options: Partial<Parameters<typeof orderSide>[1]>): Promise<void> {
  await client.close()
  await exchange.close()
  await openAccount(options)
  exchange.clock.stopAt(Date.now())
}

async function openClient(): Promise<Client> {
  const access = { name: 'kraken', restUrl: exchange.restUrl, wsUrl: exchange.wsUrl, apiKey: KEYS.key, secret: KEYS.secret } as const
  const opened = await openExchange({ ...access, timeoutMs: 1_000, rateLimitMs: 1 })
  // The client's own nonce is the millisecond, and two requests of one millisecond would be one too many.
  let nonce = Date.now()
  opened.nonce = () => (nonce += 1)
  await opened.loadMarkets()
  return opened
}

type Order = { symbol?: string; type?: 'market' | 'limit'; side?: 'buy' | 'sell'; amount?: number; price?: number; params?: object }

/** A hundredth of a bitcoin, bought at the market's price, where nothing else is said. */
function place({ symbol = 'BTC/USD', type = 'market', side: direction = 'buy', amount = 0.01, price, params = {} }: Order = {}) {
  return client.createOrder(symbol, type, direction, amount, price, params)
}

const closedUnder = (clientOrderId: string) => client.fetchClosedOrders(undefined, undefined, undefined, { clientOrderId, trades: true })
const openUnder = (clientOrderId: string) => client.fetchOpenOrders(undefined, undefined, undefined, { clientOrderId })

/** A call with what the client would have corrected. */
async function call(name: string, form: Record<string, string>): Promise<unknown> {
  return client['request'](name, 'private', 'POST', form)
}

const ORDER = { pair: 'XXBTZUSD', type: 'buy', ordertype: 'limit', volume: '0.01', price: '60000' }

test('a market order trades at the last price, pays the fee in dollars, and moves both balances', async () => {
  const placed = await place({ params: { clientOrderId: 'block-1' } })
  const [order] = await closedUnder('block-1')
  expect(order).toMatchObject({ id: placed.id, clientOrderId: 'block-1', status: 'closed', side: 'buy', filled: '0.01000000', average: '60000.00000' })
  expect(order).toMatchObject({ fee: { cost: '2.40000', currency: 'USD' }, info: { cost: '600.00000', vol: '0.01000000', descr: { pair: 'XBTUSD' } } })
  expect(side.orders()).toMatchObject([{ pair: 'BTC/USD', executed: '0.01000000', cost: '600.00000', fee: '2.40000', status: 'closed' }])
  expect(side.balances()).toEqual({ ZUSD: '9397.6000000000', XXBT: '1.0100000000' })
  await place({ side: 'sell' })
  expect(side.balances()).toEqual({ ZUSD: '9995.2000000000', XXBT: '1.0000000000' })
})

test('what is not there at once of a market order trades on the next level, a little worse', async () => {
  side.setSpread(10)
  side.setDepth(2_500)
  await place({ params: { clientOrderId: 'two-levels' } })
  const [order] = await closedUnder('two-levels')
  const trades = await client.fetchOrderTrades(order?.id ?? '', 'BTC/USD', undefined, undefined, { trades: order?.trades })
  expect(trades.map(({ price, amount, cost }) => [price, amount, cost]).toSorted()).toEqual([
    ['60060.00000', '0.00250000', '150.15000'],
    ['60090.10000', '0.00750000', '450.67575'],
  ])
  expect(order).toMatchObject({ average: '60082.57500', info: { cost: '600.82575', fee: '2.40330' } })
  expect(side.balances()).toEqual({ ZUSD: '9396.7709500000', XXBT: '1.0100000000' })
})

test('an immediate-or-cancel order takes what is there within its limit and cancels the rest', async () => {
  side.setDepth(3_000, 'BTC/USD')
  await place({ type: 'limit', price: 60_100, params: { timeInForce: 'IOC', clientOrderId: 'partly' } })
  side.setSpread(20)
  await place({ type: 'limit', price: 60_100, params: { timeInForce: 'IOC', clientOrderId: 'not-at-all' } })
  expect(await closedUnder('partly')).toMatchObject([{ status: 'canceled', filled: '0.00300000', average: '60000.00000', price: '60100.0' }])
  expect(await closedUnder('not-at-all')).toMatchObject([{ status: 'canceled', filled: '0.00000000', trades: [] }])
  expect(side.orders().map(({ executed, cost, fee }) => [executed, cost, fee])).toEqual([['0.00300000', '180.00000', '0.72000'], ['0.00000000', '0.00000', '0.00000']])
  expect(side.balances()).toEqual({ ZUSD: '9819.2800000000', XXBT: '1.0030000000' })
})

test('an order that stays binds its money, trades when the market comes to it, and can be cancelled while it is open', async () => {
  const first = await place({ type: 'limit', price: 50_000, params: { clientOrderId: 'waits' } })
  const second = await place({ type: 'limit', side: 'sell', price: 70_000 })
  expect(await openUnder('waits')).toMatchObject([{ id: first.id, status: 'open', filled: '0.00000000' }])
  const balances = await client.fetchBalance()
  expect(balances['USD']).toMatchObject({ total: '10000.0000', used: '502.0000', free: '9498' })
  expect(balances['BTC']).toMatchObject({ total: '1.0000000000', used: '0.0100000000' })
  await expect(place({ side: 'sell', amount: 0.995 })).rejects.toMatchObject({ name: 'InsufficientFunds' })
  await expect(place({ amount: 0.16 })).rejects.toMatchObject({ name: 'InsufficientFunds' })
  await client.cancelOrder(String(second.id))
  await expect(client.cancelOrder(String(second.id))).rejects.toMatchObject({ name: 'OrderNotFound' })
  await expect(client.cancelOrder('OZZZZZ-ZZZZZ-ZZZZZZ')).rejects.toMatchObject({ name: 'InvalidOrder' })
  exchange.market.trade('BTC/USD', '49000.0')
  expect(await closedUnder('waits')).toMatchObject([{ status: 'closed', average: '50000.00000' }])
  expect(side.orders().map(({ status, reason }) => [status, reason])).toEqual([['closed', undefined], ['canceled', 'User requested']])
  expect(side.balances()).toEqual({ ZUSD: '9498.0000000000', XXBT: '1.0100000000' })
})

test('what an order that stays did not find at once waits until the market has moved', async () => {
  side.setDepth(4_000)
  await place({ type: 'limit', price: 60_000, params: { clientOrderId: 'in-part' } })
  expect(await openUnder('in-part')).toMatchObject([{ status: 'open', filled: '0.00400000', info: { cost: '240.00000', fee: '0.96000' } }])
  exchange.market.trade('BTC/USD', '60000.1')
  expect(await openUnder('in-part')).toHaveLength(1)
  exchange.market.trade('BTC/USD', '59999.9')
  expect(await closedUnder('in-part')).toMatchObject([{ status: 'closed', filled: '0.01000000', info: { cost: '600.00000', fee: '2.40000' } }])
})

test('an order that is good until a date expires', async () => {
  await place({ type: 'limit', price: 50_000, params: { timeInForce: 'GTD', expiretm: '+60', clientOrderId: 'a-minute' } })
  exchange.clock.jumpBy(61_000)
  expect(await closedUnder('a-minute')).toMatchObject([{ status: 'expired', filled: '0.00000000' }])
})

test('an id is taken while its order is open; afterwards the same id trades again', async () => {
  const order = { type: 'limit', price: 50_000, params: { clientOrderId: 'twice' } } as const
  const { id } = await place(order)
  await expect(place(order)).rejects.toThrow('cl_ord_id not unique')
  await client.cancelOrder(String(id), undefined, { clientOrderId: 'twice' })
  await place({ params: { clientOrderId: 'twice' } })
  await place({ params: { clientOrderId: 'twice' } })
  expect(await closedUnder('twice')).toHaveLength(3)
  expect(side.balances()['XXBT']).toBe('1.0200000000')
})

const REFUSALS: readonly [error: string, sentence: string, form: Record<string, string>][] = [
  ['InsufficientFunds', 'EOrder:Insufficient funds', { volume: '0.1661' }],
  ['InsufficientFunds', 'EOrder:Insufficient funds', { type: 'sell', volume: '1.00000001' }],
  ['InvalidOrder', 'EGeneral:Invalid arguments:volume minimum not met', { volume: '0.00004999' }],
  ['InvalidOrder', 'EGeneral:Invalid arguments:volume', { volume: '0.010000001' }],
  ['InvalidOrder', 'EGeneral:Invalid arguments:volume', { volume: '-1' }],
  ['InvalidOrder', 'EGeneral:Invalid arguments:volume', { volume: '1e-2' }],
  ['ExchangeError', 'EOrder:Cost minimum not met', { pair: 'ADAUSD', volume: '0.9', price: '0.5' }],
  ['ExchangeError', 'EOrder:Invalid price:XBT/USD price can only be specified up to 1 decimals.', { price: '60000.01' }],
  ['InvalidOrder', 'EGeneral:Invalid arguments:price', { price: '0' }],
  ['ExchangeError', 'EQuery:Unknown asset pair', { pair: 'XXBTZEUR' }],
  ['ExchangeError', 'EGeneral:Invalid arguments:ordertype', { ordertype: 'stop-loss' }],
  ['ExchangeError', 'EGeneral:Invalid arguments:timeinforce', { timeinforce: 'FOK' }],
  ['ExchangeError', 'EGeneral:Invalid arguments:leverage', { leverage: '2' }],
  ['ExchangeError', 'EGeneral:Invalid arguments:cl_ord_id', { cl_ord_id: 'nineteen-characters' }],
  ['ExchangeError', 'EGeneral:Invalid arguments:cl_ord_id', { cl_ord_id: '0197f1b2-0000-7000-8000-00000000000g' }],
  ['ExchangeError', 'EService:Deadline elapsed', { deadline: '2020-01-01T00:00:00Z' }],
  ['ExchangeError', 'EGeneral:Invalid arguments:deadline', { deadline: '2090-01-01T00:00:00Z' }],
  ['ExchangeError', 'EGeneral:Invalid arguments:deadline', { deadline: 'in five seconds' }],
  ['ExchangeError', 'EOrder:Post only order', { oflags: 'post' }],
]

test.each(REFUSALS)('a wrong order is refused as %s: %s', async (name, sentence, form) => {
  await expect(call('AddOrder', { ...ORDER, ...form })).rejects.toSatisfy((error: Error) => error.name === name && error.message.includes(`"${sentence}"`))
  expect([side.received(), side.orders()]).toEqual([1, []])
  expect(side.balances()).toEqual({ ZUSD: '10000.0000000000', XXBT: '1.0000000000' })
})

test.each(['0197f1b2-7c3e-7000-8000-00000000000a', '0197f1b27c3e7000800000000000000a', 'arb-20240509-00010'])('%s is an id that an order may have', async (clientOrderId) => {
  await place({ params: { clientOrderId } })
  expect(await closedUnder(clientOrderId)).toMatchObject([{ clientOrderId }])
})

test.each([
  ['cancel_only', 'market', 'OnMaintenance'],
  ['post_only', 'market', 'OnMaintenance'],
  ['limit_only', 'market', 'ExchangeError'],
  ['reduce_only', 'limit', 'ExchangeError'],
] as const)('a market in %s mode takes no %s order: %s', async (status, type, name) => {
  const market = exchange.markets.get('XXBTZUSD')
  if (market) market.status = status
  await expect(place({ type, price: 60_000 })).rejects.toMatchObject({ name })
  expect(side.orders()).toEqual([])
})

test('an order that is only to be validated is checked and moves nothing', async () => {
  const { id } = await place({ params: { validate: true } })
  expect([id, side.orders(), side.received()]).toEqual([undefined, [], 1])
  await expect(place({ amount: 1, params: { validate: true } })).rejects.toMatchObject({ name: 'InsufficientFunds' })
})

const FAULTS: readonly [fault: OrderFault, error: string, ordersMade: number][] = [
  ['lose-reply', 'NetworkError', 1],
  ['drop-before', 'NetworkError', 0],
  ['hang', 'RequestTimeout', 0],
  ['rate-limit', 'DDoSProtection', 0],
  ['maintenance', 'OnMaintenance', 0],
  ['unavailable', 'ExchangeNotAvailable', 0],
  ['busy', 'ExchangeNotAvailable', 0],
  ['internal-error', 'ExchangeNotAvailable', 0],
]

test.each(FAULTS)('%s reaches the client as %s after one request, and makes %i orders', async (fault, name, ordersMade) => {
  side.meet(fault)
  await expect(place({ params: { clientOrderId: 'unlucky' } })).rejects.toMatchObject({ name })
  expect([side.received(), side.orders().length]).toEqual([1, ordersMade])
  expect(await closedUnder('unlucky')).toHaveLength(ordersMade)
  await place()
  expect(side.orders()).toHaveLength(ordersMade + 1)
})

test('a fault lasts for so many requests of the call that it is for', async () => {
  side.meet('unavailable', { call: 'BalanceEx', times: 2 })
  await place()
  await expect(client.fetchBalance()).rejects.toMatchObject({ name: 'ExchangeNotAvailable' })
  await expect(client.fetchBalance()).rejects.toMatchObject({ name: 'ExchangeNotAvailable' })
  expect((await client.fetchBalance())['BTC']).toMatchObject({ total: '1.0100000000' })
})

test('a slow order is executed after its sender has given up', async () => {
  side.meet('slow')
  client.timeout = 100
  await expect(place({ params: { clientOrderId: 'late' } })).rejects.toMatchObject({ name: 'RequestTimeout' })
  client.timeout = 1_000
  expect(await closedUnder('late')).toEqual([])
  await expect.poll(() => side.orders().length, { timeout: 10_000 }).toBe(1)
  expect(await closedUnder('late')).toMatchObject([{ status: 'closed' }])
})

test('an order that queued beyond its deadline is refused', async () => {
  side.meet('slow')
  client.timeout = 10_000
  const placing = place({ params: { deadline: new Date(exchange.clock.nowMs() + 5_000).toISOString() } })
  await expect.poll(side.received).toBe(1)
  exchange.clock.jumpBy(6_000)
  await expect(placing).rejects.toThrow('EService:Deadline elapsed')
  expect(side.orders()).toEqual([])
})

test('a nonce serves once and must rise; a wrong key or secret is refused', async () => {
  await place()
  const rising = client.nonce
  const used = rising()
  client.nonce = () => used
  await client.fetchBalance()
  await expect(client.fetchBalance()).rejects.toMatchObject({ name: 'InvalidNonce' })
  client.nonce = rising
  client.apiKey = 'another'
  await expect(place()).rejects.toMatchObject({ name: 'AuthenticationError' })
  client.apiKey = KEYS.key
  client.secret = Buffer.from('another').toString('base64')
  await expect(place()).rejects.toThrow('EAPI:Invalid signature')
  client.secret = KEYS.secret
  expect((await place()).id).toBeDefined()
  expect(side.orders()).toHaveLength(2)
})

test('who asks too often is refused until the counter has decayed, and a refused call counts as well', async () => {
  await openAnother({ limits: { calls: { most: 3, decayPerSecond: 1 } } })
  for (let asked = 0; asked < 3; asked += 1) await client.fetchBalance()
  await expect(client.fetchBalance()).rejects.toMatchObject({ name: 'DDoSProtection' })
  await place()
  exchange.clock.jumpBy(1_000)
  await expect(client.fetchBalance()).rejects.toThrow('EAPI:Rate limit exceeded')
  exchange.clock.jumpBy(2_000)
  expect((await client.fetchBalance())['BTC']).toMatchObject({ total: '1.0100000000' })
  await expect(client.fetchMyTrades()).rejects.toMatchObject({ name: 'DDoSProtection' })
})

test('orders have a counter for each pair, and an order that is cancelled soon counts for eight', async () => {
  await openAnother({ limits: { calls: UNLIMITED, orders: { most: 9, decayPerSecond: 1 } } })
  const { id } = await place({ type: 'limit', price: 50_000 })
  await client.cancelOrder(String(id))
  await expect(place()).rejects.toThrow('EOrder:Rate limit exceeded')
  await place({ symbol: 'ETH/USD' })
  exchange.clock.jumpBy(2_000)
  await place()
  expect(side.received()).toBe(4)
})

test('balances, orders and trades tell the same story to the last digit, whatever is ordered', async () => {
  await openAnother({ balances: { ZUSD: '100000', XXBT: '1' } })
  const orders = fc.array(
    fc.record({
      symbol: fc.constantFrom('BTC/USD', 'ADA/USD', 'SOL/USD'),
      type: fc.constantFrom('market' as const, 'limit' as const),
      side: fc.constantFrom('buy' as const, 'sell' as const),
      lots: fc.integer({ min: 1, max: 5_000_000 }),
      depth: fc.integer({ min: 0, max: 10_000 }),
      offsetBps: fc.integer({ min: -50, max: 50 }),
      params: fc.constantFrom({ timeInForce: 'IOC' }, {}),
    }),
    { minLength: 100, maxLength: 100 },
  )
  const [sample = []] = fc.sample(orders, { numRuns: 1, seed: 20_261_121 })
  let accepted = 0
  for (const { symbol, type, side: direction, lots, depth, offsetBps, params } of sample) {
    const last = Number([...exchange.markets.values()].find((market) => market.symbol === symbol)?.lastPrice)
    side.setDepth(depth)
    side.setSpread(depth % 7)
    const amount = symbol === 'BTC/USD' ? lots / 1e8 : lots / 1e5
    const placing = place({ symbol, type, side: direction, amount, price: last * (1 + offsetBps / 10_000), params: type === 'limit' ? params : {} })
    accepted += await placing.then(() => 1, (error: Error) => (/InsufficientFunds|InvalidOrder|ExchangeError/.test(error.name) ? 0 : Promise.reject(error)))
  }
  expect(accepted).toBeGreaterThan(50)
  expect(side.orders()).toHaveLength(accepted)
  const trades = await allTrades()
  const told = new Map(Object.entries({ ZUSD: 100_000n * ONE, XXBT: ONE }))
  for (const { pair, type, vol, cost, fee } of trades) {
    const base = exchange.markets.get(pair)?.base ?? ''
    const sign = type === 'buy' ? 1n : -1n
    told.set(base, (told.get(base) ?? 0n) + sign * tenths(vol))
    told.set('ZUSD', (told.get('ZUSD') ?? 0n) - sign * tenths(cost) - tenths(fee))
  }
  expect(Object.fromEntries(Object.entries(side.balances()).map(([asset, amount]) => [asset, tenths(amount)]))).toEqual(Object.fromEntries(told))
  expect([...told].filter(([, amount]) => amount < 0n)).toEqual([])
  const summed = (name: 'cost' | 'fee') => [trades, side.orders()].map((rows) => rows.reduce((sum, row) => sum + tenths(row[name]), 0n))
  for (const name of ['cost', 'fee'] as const) expect(new Set(summed(name)).size).toBe(1)
})

type Trade = { pair: string; type: 'buy' | 'sell'; vol: string; cost: string; fee: string }

/** All pages of the history. */
async function allTrades(): Promise<Trade[]> {
  const trades = new Map<string, Trade>()
  let count = 1
  for (let offset = 0; offset < count; offset += 50) {
    const { result } = (await call('TradesHistory', { ofs: String(offset) })) as { result: { count: number; trades: Record<string, Trade> } }
    count = result.count
    for (const [id, trade] of Object.entries(result.trades)) trades.set(id, trade)
  }
  expect(trades.size).toBe(count)
  return [...trades.values()]
}

const ONE = 10n ** 10n

/** A decimal as whole parts of 10⁻¹⁰. */
function tenths(decimal: string): bigint {
  const [whole = '', fraction = ''] = decimal.split('.')
  return BigInt(whole + fraction.padEnd(10, '0'))
}
