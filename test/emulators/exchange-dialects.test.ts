import { generateKeyPairSync } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { HOUR_MS } from '#core/market/candle.ts'
import type { ExchangeName, MarketStatus } from './exchange-state.ts'
import { candleOf } from './exchange-candles.ts'
import { BITCOIN, openAccount, type Account } from './orders/account.ts'

let account: Account
afterEach(() => account.close())

const NAMES = ['binance', 'coinbase'] as const
const IOC = { type: 'limit', price: 60_000, params: { timeInForce: 'IOC' } } as const
const otherKey = () =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' })
    .privateKey.export({ type: 'sec1', format: 'pem' })
    .toString()

type Break = (opened: Account) => void
const jump =
  (ms: number): Break =>
  ({ exchange }) =>
    exchange.clock.jumpBy(ms)
const ACCESS: readonly [
  name: ExchangeName,
  what: string,
  harm: Break,
  sentence: string | undefined,
][] = [
  ['binance', 'no harm', () => {}, undefined],
  ['binance', 'another key', ({ client }) => (client.apiKey = 'another'), '"code":-2015'],
  ['binance', 'another secret', ({ client }) => (client.secret = 'another'), '"code":-1022'],
  ['binance', 'a clock 0.5 s ahead', jump(-500), undefined],
  ['binance', 'a clock 3 s ahead', jump(-3_000), '"code":-1021'],
  ['binance', 'a clock 2 s behind', jump(2_000), undefined],
  ['binance', 'a clock 15 s behind', jump(15_000), '"code":-1021'],
  ['coinbase', 'no harm', () => {}, undefined],
  ['coinbase', 'another key', ({ client }) => (client.apiKey += 'x'), 'Unauthorized'],
  ['coinbase', 'another secret', ({ client }) => (client.secret = otherKey()), 'Unauthorized'],
  ['coinbase', 'a clock 5 s ahead', jump(-5_000), 'Unauthorized'],
  ['coinbase', 'a clock 100 s behind', jump(100_000), undefined],
  ['coinbase', 'a clock 130 s behind', jump(130_000), 'Unauthorized'],
]

test.each(ACCESS)(
  '%s accepts a request with %s or refuses it',
  async (name, _what, harm, sentence) => {
    account = await openAccount({ name })
    harm(account)
    const asked = account.client.fetchBalance()
    if (sentence === undefined) await expect(asked).resolves.toBeDefined()
    else await expect(asked).rejects.toThrow(sentence)
  },
)

test('coinbase refuses a token that was made for another address', async () => {
  account = await openAccount({ name: 'coinbase' })
  const { client, exchange } = account
  const path = '/api/v3/brokerage/accounts'
  const made = client as unknown as { createAuthToken: (...parts: unknown[]) => string }
  const answerTo = async (method: string, url: string) => {
    const token = made.createAuthToken(client.seconds(), method, url)
    const headers = { authorization: `Bearer ${token}` }
    return (await fetch(`${exchange.restUrl}${path}`, { headers })).status
  }
  expect(await answerTo('GET', `${exchange.restUrl}${path}`)).toBe(200)
  expect(await answerTo('GET', `${exchange.restUrl}${path}/other`)).toBe(401)
  expect(await answerTo('POST', `${exchange.restUrl}${path}`)).toBe(401)
})

const BURNS = [
  { burns: false, bnb: '1', side: 'buy', commission: { BTC: '0.0000100000' } },
  { burns: false, bnb: '1', side: 'sell', commission: { USDT: '0.6000000000' } },
  { burns: true, bnb: '1', side: 'buy', commission: { BNB: '0.0007500000' } },
  { burns: true, bnb: '1', side: 'sell', commission: { BNB: '0.0007500000' } },
  { burns: true, bnb: '0.00074', side: 'buy', commission: { BTC: '0.0000100000' } },
] as const

test.each(BURNS)(
  'binance charges the fee of a $side in the asset received: burns $burns, BNB $bnb',
  async ({ burns, bnb, side: direction, commission }) => {
    const balances = { USDT: '10000', BTC: '1', BNB: bnb }
    account = await openAccount({ name: 'binance', balances, spotBNBBurn: burns })
    const { client, side, place } = account
    await place({ ...IOC, side: direction })
    expect(side.orders()[0]?.fees).toEqual(commission)
    const [order] = await client.fetchOrders(BITCOIN.binance)
    expect(order).toMatchObject({ fee: undefined, fees: [] })
    const [trade] = await client.fetchMyTrades(BITCOIN.binance)
    const [[asset, amount] = []] = Object.entries(commission)
    expect([trade?.fee?.currency, Number(trade?.fee?.cost)]).toEqual([asset, Number(amount)])
    const [left] = Object.entries(side.balances()).filter(([each]) => each === 'BNB')
    expect(Number(left?.[1])).toBeCloseTo(Number(bnb) - (asset === 'BNB' ? 0.000_75 : 0), 8)
  },
)

test('binance turns the fee in BNB on and off, and reports that', async () => {
  account = await openAccount({ name: 'binance' })
  const ask = (method: string, path: string, params = {}) =>
    account.client.request(path, 'sapi', method, params) as Promise<unknown>
  expect(await ask('GET', 'bnbBurn')).toMatchObject({ spotBNBBurn: false })
  await ask('POST', 'bnbBurn', { spotBNBBurn: 'true' })
  expect(await ask('GET', 'bnbBurn')).toMatchObject({ spotBNBBurn: true })
  expect(
    await account.client.request('account/commission', 'private', 'GET', { symbol: 'BTCUSDT' }),
  ).toMatchObject({ discount: { enabledForAccount: true }, symbol: 'BTCUSDT' })
})

test('an id used again is a new order at binance, and the first order at coinbase', async () => {
  const again = async (name: ExchangeName, id: object) => {
    account = await openAccount({ name })
    const { place, side } = account
    const placed = { ...IOC, params: { timeInForce: 'IOC', ...id } }
    const [first, second] = [await place(placed), await place(placed)]
    const ids = [first.id === second.id, side.orders().length]
    if (name === 'binance') await account.close()
    return ids
  }
  expect(await again('binance', { clientOrderId: 'ours' })).toEqual([false, 2])
  expect(await again('coinbase', { client_order_id: 'ours' })).toEqual([true, 1])
})

test('coinbase lists orders newest first, by pages', async () => {
  account = await openAccount({ name: 'coinbase' })
  const { client, place } = account
  for (const id of ['one', 'two', 'three'])
    await place({ ...IOC, params: { timeInForce: 'IOC', client_order_id: id } })
  type Page = { orders: { client_order_id: string }[]; has_next: boolean; cursor: string }
  const path = 'brokerage/orders/historical/batch'
  const page = async (params: object): Promise<Page> =>
    (await client.request(path, ['v3', 'private'], 'GET', { limit: 2, ...params })) as Page
  const first = await page({})
  const second = await page({ cursor: first.cursor })
  expect([first, second].map(({ orders }) => orders.map((each) => each.client_order_id))).toEqual([
    ['three', 'two'],
    ['one'],
  ])
  expect([first.has_next, second.has_next, second.cursor]).toEqual([true, false, ''])
})

const CLOSED: readonly [ExchangeName, MarketStatus, taken: boolean, sentence: string][] = [
  ['binance', 'HALT', false, 'Market is closed.'],
  ['binance', 'BREAK', false, 'Market is closed.'],
  ['binance', 'END_OF_DAY', false, 'Market is closed.'],
  ['binance', 'CANCEL_ONLY', false, 'Market is closed.'],
  ['coinbase', 'trading_disabled', false, 'TRADING_DISABLED'],
  ['coinbase', 'delisted', false, 'TRADING_DISABLED'],
  ['coinbase', 'cancel_only', false, 'ORDER_ENTRY_DISABLED'],
  ['coinbase', 'auction_mode', false, 'PREVIEW_NOT_ALLOWED_BY_MARKET_STATE'],
  ['coinbase', 'post_only', false, 'PREVIEW_NOT_ALLOWED_BY_MARKET_STATE'],
  ['coinbase', 'view_only', false, 'UNTRADABLE_PRODUCT'],
  ['coinbase', 'limit_only', true, ''],
]

test.each(CLOSED)(
  '%s: whether a market with the status %s accepts orders: %s',
  async (name, status, taken, sentence) => {
    account = await openAccount({ name })
    const [market] = account.exchange.markets.values()
    if (market) market.status = status
    const placing = account.place(IOC)
    if (taken) await expect(placing).resolves.toBeDefined()
    else await expect(placing).rejects.toThrow(sentence)
    const markets = await account.client.loadMarkets(true)
    const info = markets[BITCOIN[name]]?.info as Record<string, unknown>
    const word = { trading_disabled: true, [status]: true }
    if (name === 'binance') expect(info['status']).toBe(status)
    else if (status === 'delisted') expect(info).toMatchObject({ trading_disabled: true, status })
    else expect(info).toMatchObject({ [status]: word[status] })
  },
)

const WRONG: readonly [ExchangeName, sentence: string, order: Record<string, unknown>][] = [
  ['binance', '"code":-1121', { symbol: 'BTCEUR' }],
  ['binance', '"code":-1117', { side: 'HOLD' }],
  ['binance', '"code":-1116', { type: 'STOP_LOSS' }],
  ['binance', '"code":-1115', { timeInForce: 'FOK' }],
  ['binance', '"code":-1102', { price: '' }],
  ['binance', '"code":-1104', { icebergQty: '1' }],
  ['binance', '"code":-1100', { quantity: '-1' }],
  ['binance', '"code":-1100', { newClientOrderId: 'x'.repeat(37) }],
  ['binance', '"code":-1111', { quantity: '0.010000001' }],
  ['binance', 'LOT_SIZE', { quantity: '0.010001' }],
  ['binance', 'PRICE_FILTER', { price: '60000.001' }],
  ['binance', 'Filter failure: PERCENT_PRICE_BY_SIDE', { price: '300000.01' }],
  ['binance', 'Filter failure: NOTIONAL', { quantity: '0.00008' }],
  ['binance', 'Account has insufficient balance for requested action.', { quantity: '0.17' }],
  ['coinbase', 'INVALID_PRODUCT_ID', { product_id: 'BTC-EUR' }],
  ['coinbase', 'INVALID_SIDE', { side: 'HOLD' }],
  ['coinbase', 'UNSUPPORTED_ORDER_CONFIGURATION', { order_configuration: { limit_limit_fok: {} } }],
  ['coinbase', 'INVALID_SIZE_PRECISION', sized('0.010000001', '60000')],
  ['coinbase', 'PREVIEW_INVALID_PRICE_PRECISION', sized('0.01', '60000.001')],
  ['coinbase', 'PREVIEW_INVALID_QUOTE_SIZE_TOO_SMALL', sized('0.00001', '60000')],
  ['coinbase', 'PREVIEW_INSUFFICIENT_FUND', sized('0.1661', '60000')],
  ['coinbase', 'INVALID_ARGUMENT', { client_order_id: '' }],
]

function sized(base_size: string, limit_price: string) {
  return { order_configuration: { sor_limit_ioc: { base_size, limit_price } } }
}

const RIGHT = {
  binance: { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'IOC' },
  coinbase: { client_order_id: 'ours', product_id: 'BTC-USD', side: 'BUY' },
}

function send({ client }: Account, order: Record<string, unknown>): Promise<unknown> {
  return client.id === 'binance'
    ? client.request('order', 'private', 'POST', {
        ...RIGHT.binance,
        quantity: '0.01',
        price: '60000',
        ...order,
      })
    : client.request('brokerage/orders', ['v3', 'private'], 'POST', {
        ...RIGHT.coinbase,
        ...sized('0.01', '60000'),
        ...order,
      })
}

test.each(WRONG)('%s refuses a wrong order: %s', async (name, sentence, order) => {
  account = await openAccount({ name })
  await expect(send(account, order)).rejects.toThrow(sentence)
  expect([account.side.received(), account.side.orders()]).toEqual([1, []])
})

const CODES: readonly [ExchangeName, code: string, isExecuted: boolean, sentence: string][] = [
  ['binance', '-1015', false, 'Too many new orders.'],
  ['binance', '-2010 This symbol is restricted for this account.', false, 'is restricted'],
  ['binance', '-1007', true, 'execution status unknown'],
  ['coinbase', 'INVALID_NO_LIQUIDITY', false, '"new_order_failure_reason":"INVALID_NO_LIQUIDITY"'],
  ['coinbase', 'PREVIEW_GEOFENCING_RESTRICTION', false, '"preview_failure_reason":"PREVIEW_GEO'],
  ['coinbase', 'PERMISSION_DENIED', false, 'PERMISSION_DENIED'],
  ['coinbase', 'INTERNAL', true, 'INTERNAL'],
  ['kraken', 'EOrder:Orders limit exceeded', false, 'EOrder:Orders limit exceeded'],
]

test.each(CODES)(
  '%s returns the refusal %s; whether it executes the order: %s',
  async (name, code, isExecuted, sentence) => {
    account = await openAccount({ name })
    const { side, place } = account
    side.refuse(code, { isExecuted })
    await expect(place(IOC)).rejects.toThrow(sentence)
    expect(side.orders()).toHaveLength(isExecuted ? 1 : 0)
    await place(IOC)
  },
)

test.each(NAMES)(
  '%s returns time, markets, candles and tickers, and streams them',
  async (name) => {
    account = await openAccount({ name })
    const { client, exchange } = account
    const symbol = BITCOIN[name]
    expect(Math.abs(((await client.fetchTime()) ?? 0) - exchange.clock.nowMs())).toBeLessThan(2_000)
    const markets = await client.loadMarkets(true)
    expect(Object.keys(markets).toSorted()).toEqual(
      [...exchange.markets.values()].map((market) => market.symbol).toSorted(),
    )
    const hour = Math.floor(exchange.clock.nowMs() / HOUR_MS) * HOUR_MS
    const rows = await client.fetchOHLCV(symbol, '1h', hour - 5 * HOUR_MS, 300)
    expect(rows.map(([time]) => time)).toEqual(
      [5, 4, 3, 2, 1, 0].map((ago) => hour - ago * HOUR_MS),
    )
    const [market] = exchange.markets.values()
    if (!market) throw new Error('no market of BTC')
    const { open, high, low, close } = candleOf(market, hour - HOUR_MS)
    expect(rows.at(-2)?.slice(1, 5).map(Number)).toEqual([open, high, low, close].map(Number))
    expect(Number((await client.fetchTickers([symbol]))[symbol]?.last)).toBe(60_000)
    const first = client.watchTickers([symbol])
    await expect.poll(() => exchange.market.sockets().length).toBe(1)
    const trading = setInterval(() => exchange.market.trade(symbol, '61000.50'), 20)
    await first
    await expect.poll(() => Number(client.tickers[symbol]?.last)).toBe(61_000.5)
    clearInterval(trading)
  },
)

test('kraken charges the fee in the coin that the order requests, and reports which', async () => {
  account = await openAccount()
  const { side, place, client } = account
  await place({ side: 'sell', params: { oflags: 'fcib', clientOrderId: 'coins' } })
  await place({ side: 'sell', params: { oflags: 'fciq', clientOrderId: 'money' } })
  await client.createOrder('BTC/USD', 'market', 'sell', 0.01, undefined, { clientOrderId: 'any' })
  await client.createOrder('BTC/USD', 'market', 'buy', 0.01, undefined, { clientOrderId: 'buy' })
  expect(side.orders().map(({ fees }) => fees)).toEqual([
    { XXBT: '0.0000400000' },
    { ZUSD: '2.4000000000' },
    { XXBT: '0.0000400000' },
    { ZUSD: '2.4000000000' },
  ])
  const orders = await client.fetchClosedOrders()
  const told = orders.map(({ info, clientOrderId }) => [
    clientOrderId,
    (info as { oflags: string }).oflags,
  ])
  expect(Object.fromEntries(told)).toEqual({
    coins: 'fcib',
    money: 'fciq',
    any: 'fcib',
    buy: 'fciq',
  })
  await expect(place({ params: { oflags: 'fcib,fciq' } })).rejects.toThrow('oflags')
})

test.each(['F', 'B'] as const)(
  'kraken names balances that earn rewards with .%s',
  async (rewards) => {
    account = await openAccount({ rewards })
    const { result } = (await account.call('Balance', {})) as { result: object }
    expect(result).toEqual({ [`USD.${rewards}`]: '10000.0000', [`XBT.${rewards}`]: '1.0000000000' })
  },
)
