import { afterEach, beforeEach, expect, test } from 'vitest'
import type { OrderFault } from './exchange-orders.ts'
import { openAccount, UNLIMITED, type Account } from './orders/account.ts'
import type { Limit } from './kraken/counters.ts'

let account: Account
beforeEach(async () => {
  account = await openAccount()
})
afterEach(() => account.close())

/** Runs `work` with a time limit of half a second in the client. */
async function impatiently<T>(work: () => Promise<T>): Promise<T> {
  const { client } = account
  const patience = client.timeout
  client.timeout = 500
  return work().finally(() => (client.timeout = patience))
}

/** Replaces the first account by one with these limits, at an exchange whose clock is stopped. */
async function limitTo(limits: { calls?: Limit; orders?: Limit }): Promise<Account> {
  await account.close()
  account = await openAccount({ limits: { calls: UNLIMITED, orders: UNLIMITED, ...limits } })
  account.exchange.clock.stopAt(Date.now())
  return account
}

const ORDER = { pair: 'XXBTZUSD', type: 'buy', ordertype: 'limit', volume: '0.01', price: '60000' }

const REFUSALS: readonly [error: string, sentence: string, form: Record<string, string>][] = [
  ['InsufficientFunds', 'EOrder:Insufficient funds', { volume: '0.1661' }],
  ['InsufficientFunds', 'EOrder:Insufficient funds', { type: 'sell', volume: '1.00000001' }],
  ['InvalidOrder', 'EGeneral:Invalid arguments:volume minimum not met', { volume: '0.00004999' }],
  ['InvalidOrder', 'EGeneral:Invalid arguments:volume', { volume: '0.010000001' }],
  ['InvalidOrder', 'EGeneral:Invalid arguments:volume', { volume: '-1' }],
  ['InvalidOrder', 'EGeneral:Invalid arguments:volume', { volume: '1e-2' }],
  ['ExchangeError', 'EOrder:Cost minimum not met', { pair: 'ADAUSD', volume: '0.9', price: '0.5' }],
  [
    'ExchangeError',
    'EOrder:Invalid price:XBT/USD price can only be specified up to 1 decimals.',
    { price: '60000.01' },
  ],
  ['InvalidOrder', 'EGeneral:Invalid arguments:price', { price: '0' }],
  ['ExchangeError', 'EQuery:Unknown asset pair', { pair: 'XXBTZEUR' }],
  ['ExchangeError', 'EGeneral:Invalid arguments:ordertype', { ordertype: 'stop-loss' }],
  ['ExchangeError', 'EGeneral:Invalid arguments:timeinforce', { timeinforce: 'FOK' }],
  ['ExchangeError', 'EGeneral:Invalid arguments:leverage', { leverage: '2' }],
  ['ExchangeError', 'EGeneral:Invalid arguments:cl_ord_id', { cl_ord_id: 'nineteen-characters' }],
  [
    'ExchangeError',
    'EGeneral:Invalid arguments:cl_ord_id',
    { cl_ord_id: '0197f1b2-0000-7000-8000-00000000000g' },
  ],
  ['ExchangeError', 'EService:Deadline elapsed', { deadline: '2020-01-01T00:00:00Z' }],
  ['ExchangeError', 'EGeneral:Invalid arguments:deadline', { deadline: '2090-01-01T00:00:00Z' }],
  ['ExchangeError', 'EGeneral:Invalid arguments:deadline', { deadline: 'in five seconds' }],
  ['ExchangeError', 'EOrder:Post only order', { oflags: 'post' }],
]

test.each(REFUSALS)('a wrong order is refused as %s: %s', async (name, sentence, form) => {
  const { side, call } = account
  const refused = await call('AddOrder', { ...ORDER, ...form }).catch((error: Error) => error)
  expect(refused).toMatchObject({
    name,
    message: `kraken ${JSON.stringify({ error: [sentence] })}`,
  })
  expect([side.received(), side.orders()]).toEqual([1, []])
  expect(side.balances()).toEqual({ ZUSD: '10000.0000000000', XXBT: '1.0000000000' })
})

const IDS = [
  '0197f1b2-7c3e-7000-8000-00000000000a',
  '0197f1b27c3e7000800000000000000a',
  'arb-20240509-00010',
]

test.each(IDS)('%s is accepted as the id of an order', async (clientOrderId) => {
  const { place, closedUnder } = account
  await place({ params: { clientOrderId } })
  expect(await closedUnder(clientOrderId)).toMatchObject([{ clientOrderId }])
})

test.each([
  ['cancel_only', 'market', 'OnMaintenance'],
  ['post_only', 'market', 'OnMaintenance'],
  ['limit_only', 'market', 'ExchangeError'],
  ['reduce_only', 'limit', 'ExchangeError'],
] as const)('a market in %s mode refuses a %s order: %s', async (status, type, name) => {
  const { exchange, side, place } = account
  const market = exchange.markets.get('XXBTZUSD')
  if (market) market.status = status
  await expect(place({ type, price: 60_000 })).rejects.toMatchObject({ name })
  expect(side.orders()).toEqual([])
})

test('a validate-only order is checked and moves nothing', async () => {
  const { side, place } = account
  const { id } = await place({ params: { validate: true } })
  expect([id, side.orders(), side.received()]).toEqual([undefined, [], 1])
  await expect(place({ amount: 1, params: { validate: true } })).rejects.toMatchObject({
    name: 'InsufficientFunds',
  })
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

test.each(FAULTS)(
  '%s is reported to the client as %s after one request, and makes %i orders',
  async (fault, name, ordersMade) => {
    const { side, place, closedUnder } = account
    side.meet(fault)
    await expect(
      impatiently(() => place({ params: { clientOrderId: 'unlucky' } })),
    ).rejects.toMatchObject({ name })
    expect([side.received(), side.orders().length]).toEqual([1, ordersMade])
    expect(await closedUnder('unlucky')).toHaveLength(ordersMade)
    await place()
    expect(side.orders()).toHaveLength(ordersMade + 1)
  },
)

test('a fault lasts for the given number of requests of its call', async () => {
  const { side, client, place } = account
  side.meet('unavailable', { call: 'BalanceEx', times: 2 })
  await place()
  await expect(client.fetchBalance()).rejects.toMatchObject({ name: 'ExchangeNotAvailable' })
  await expect(client.fetchBalance()).rejects.toMatchObject({ name: 'ExchangeNotAvailable' })
  expect((await client.fetchBalance())['BTC']).toMatchObject({ total: '1.0100000000' })
})

test('a slow order is executed after its sender has given up', async () => {
  const { side, place, closedUnder } = account
  side.meet('slow')
  await expect(
    impatiently(() => place({ params: { clientOrderId: 'late' } })),
  ).rejects.toMatchObject({ name: 'RequestTimeout' })
  expect(await closedUnder('late')).toEqual([])
  await expect.poll(() => side.orders().length).toBe(1)
  expect(await closedUnder('late')).toMatchObject([{ status: 'closed' }])
})

test('an order that queued beyond its deadline is refused', async () => {
  const { exchange, side, place } = account
  side.meet('slow')
  const placing = place({
    params: { deadline: new Date(exchange.clock.nowMs() + 5_000).toISOString() },
  })
  await expect.poll(side.received).toBe(1)
  exchange.clock.jumpBy(6_000)
  await expect(placing).rejects.toThrow('EService:Deadline elapsed')
  expect(side.orders()).toEqual([])
})

test('a nonce is valid once and must increase; a wrong key or secret is refused', async () => {
  const { side, client, place } = account
  await place()
  const { nonce, apiKey, secret } = client
  const used = nonce()
  client.nonce = () => used
  await client.fetchBalance()
  await expect(client.fetchBalance()).rejects.toMatchObject({ name: 'InvalidNonce' })
  client.nonce = nonce
  client.apiKey = 'another'
  await expect(place()).rejects.toMatchObject({ name: 'AuthenticationError' })
  client.apiKey = apiKey
  client.secret = Buffer.from('another').toString('base64')
  await expect(place()).rejects.toThrow('EAPI:Invalid signature')
  client.secret = secret
  expect((await place()).id).toBeDefined()
  expect(side.orders()).toHaveLength(2)
})

test('too many calls are refused until the counter decays; refused calls count too', async () => {
  const { exchange, client, place } = await limitTo({ calls: { most: 3, decayPerSecond: 1 } })
  for (let asked = 0; asked < 3; asked += 1) await client.fetchBalance()
  await expect(client.fetchBalance()).rejects.toMatchObject({ name: 'DDoSProtection' })
  await place()
  exchange.clock.jumpBy(1_000)
  await expect(client.fetchBalance()).rejects.toThrow('EAPI:Rate limit exceeded')
  exchange.clock.jumpBy(2_000)
  expect((await client.fetchBalance())['BTC']).toMatchObject({ total: '1.0100000000' })
  await expect(client.fetchMyTrades()).rejects.toMatchObject({ name: 'DDoSProtection' })
})

test('orders are counted per pair, and an order canceled soon counts as eight', async () => {
  const { exchange, side, client, place } = await limitTo({
    orders: { most: 9, decayPerSecond: 1 },
  })
  const { id } = await place({ type: 'limit', price: 50_000 })
  await client.cancelOrder(String(id))
  await expect(place()).rejects.toThrow('EOrder:Rate limit exceeded')
  await place({ symbol: 'ETH/USD' })
  exchange.clock.jumpBy(2_000)
  await place()
  expect(side.received()).toBe(4)
})
