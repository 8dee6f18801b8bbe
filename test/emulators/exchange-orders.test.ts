import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openAccount, type Account } from './orders/account.ts'

let account: Account
beforeEach(async () => {
  account = await openAccount()
})
afterEach(() => account.close())

test('a market order trades at the last price, pays the fee and moves both balances', async () => {
  const { side, place, closedUnder } = account
  const placed = await place({ params: { clientOrderId: 'block-1' } })
  const [order] = await closedUnder('block-1')
  expect(order).toMatchObject({
    id: placed.id,
    clientOrderId: 'block-1',
    status: 'closed',
    side: 'buy',
    filled: '0.01000000',
  })
  expect(order).toMatchObject({ average: '60000.00000', fee: { cost: '2.40000', currency: 'USD' } })
  expect(order).toMatchObject({
    info: { cost: '600.00000', vol: '0.01000000', descr: { pair: 'XBTUSD' } },
  })
  expect(side.orders()).toMatchObject([
    {
      pair: 'BTC/USD',
      executed: '0.01000000',
      cost: '600.00000',
      fee: '2.40000',
      status: 'closed',
    },
  ])
  expect(side.balances()).toEqual({ ZUSD: '9397.6000000000', XXBT: '1.0100000000' })
  await place({ side: 'sell' })
  expect(side.balances()).toEqual({ ZUSD: '9995.2000000000', XXBT: '1.0000000000' })
})

test('a market order beyond the best level trades the rest at the next level', async () => {
  const { side, client, place, closedUnder } = account
  side.setSpread(10)
  side.setDepth(2_500)
  await place({ params: { clientOrderId: 'two-levels' } })
  const [order] = await closedUnder('two-levels')
  const trades = await client.fetchOrderTrades(order?.id ?? '', 'BTC/USD', undefined, undefined, {
    trades: order?.trades,
  })
  expect(trades.map(({ price, amount, cost }) => [price, amount, cost]).toSorted()).toEqual([
    ['60060.00000', '0.00250000', '150.15000'],
    ['60090.10000', '0.00750000', '450.67575'],
  ])
  expect(order).toMatchObject({
    average: '60082.57500',
    info: { cost: '600.82575', fee: '2.40330' },
  })
  expect(side.balances()).toEqual({ ZUSD: '9396.7709500000', XXBT: '1.0100000000' })
})

test('an immediate-or-cancel order fills within its limit and cancels the rest', async () => {
  const { side, place, closedUnder } = account
  side.setDepth(3_000, 'BTC/USD')
  await place({
    type: 'limit',
    price: 60_100,
    params: { timeInForce: 'IOC', clientOrderId: 'partly' },
  })
  side.setSpread(20)
  await place({
    type: 'limit',
    price: 60_100,
    params: { timeInForce: 'IOC', clientOrderId: 'not-at-all' },
  })
  expect(await closedUnder('partly')).toMatchObject([
    { status: 'canceled', filled: '0.00300000', average: '60000.00000' },
  ])
  expect(await closedUnder('not-at-all')).toMatchObject([
    { status: 'canceled', filled: '0.00000000', trades: [] },
  ])
  expect(side.orders().map(({ executed, cost, fee }) => [executed, cost, fee])).toEqual([
    ['0.00300000', '180.00000', '0.72000'],
    ['0.00000000', '0.00000', '0.00000'],
  ])
  expect(side.balances()).toEqual({ ZUSD: '9819.2800000000', XXBT: '1.0030000000' })
})

test('a resting order reserves its money, trades at its limit, and can be canceled', async () => {
  const { exchange, side, client, place, closedUnder, openUnder } = account
  const first = await place({ type: 'limit', price: 50_000, params: { clientOrderId: 'waits' } })
  const second = await place({ type: 'limit', side: 'sell', price: 70_000 })
  expect(await openUnder('waits')).toMatchObject([
    { id: first.id, status: 'open', filled: '0.00000000' },
  ])
  const balances = await client.fetchBalance()
  expect(balances['USD']).toMatchObject({ total: '10000.0000', used: '502.0000', free: '9498' })
  expect(balances['BTC']).toMatchObject({ total: '1.0000000000', used: '0.0100000000' })
  await expect(place({ side: 'sell', amount: 0.995 })).rejects.toMatchObject({
    name: 'InsufficientFunds',
  })
  await expect(place({ amount: 0.16 })).rejects.toMatchObject({ name: 'InsufficientFunds' })
  await client.cancelOrder(String(second.id))
  await expect(client.cancelOrder(String(second.id))).rejects.toMatchObject({
    name: 'OrderNotFound',
  })
  await expect(client.cancelOrder('OZZZZZ-ZZZZZ-ZZZZZZ')).rejects.toMatchObject({
    name: 'InvalidOrder',
  })
  exchange.market.trade('BTC/USD', '49000.0')
  expect(await closedUnder('waits')).toMatchObject([{ status: 'closed', average: '50000.00000' }])
  expect(side.orders().map(({ status, reason }) => [status, reason])).toEqual([
    ['closed', undefined],
    ['canceled', 'User requested'],
  ])
  expect(side.balances()).toEqual({ ZUSD: '9498.0000000000', XXBT: '1.0100000000' })
})

test('the remainder of a resting order waits until the market has moved', async () => {
  const { exchange, side, place, closedUnder, openUnder } = account
  side.setDepth(4_000)
  await place({ type: 'limit', price: 60_000, params: { clientOrderId: 'in-part' } })
  expect(await openUnder('in-part')).toMatchObject([
    { status: 'open', filled: '0.00400000', info: { cost: '240.00000', fee: '0.96000' } },
  ])
  exchange.market.trade('BTC/USD', '60000.1')
  expect(await openUnder('in-part')).toHaveLength(1)
  exchange.market.trade('BTC/USD', '59999.9')
  const [order] = await closedUnder('in-part')
  expect(order).toMatchObject({
    status: 'closed',
    info: { vol_exec: '0.01000000', cost: '600.00000', fee: '2.40000' },
  })
})

test('a good-till-date order expires', async () => {
  const { exchange, place, closedUnder } = account
  await place({
    type: 'limit',
    price: 50_000,
    params: { timeInForce: 'GTD', expiretm: '+60', clientOrderId: 'a-minute' },
  })
  exchange.clock.jumpBy(61_000)
  expect(await closedUnder('a-minute')).toMatchObject([{ status: 'expired', filled: '0.00000000' }])
})

test('an id is reserved while its order is open; afterwards it can be used again', async () => {
  const { side, client, place, closedUnder } = account
  const order = { type: 'limit', price: 50_000, params: { clientOrderId: 'twice' } } as const
  const { id } = await place(order)
  await expect(place(order)).rejects.toThrow('cl_ord_id not unique')
  await client.cancelOrder(String(id), undefined, { clientOrderId: 'twice' })
  await place({ params: { clientOrderId: 'twice' } })
  await place({ params: { clientOrderId: 'twice' } })
  expect(await closedUnder('twice')).toHaveLength(3)
  expect(side.balances()['XXBT']).toBe('1.0200000000')
})

test('balances, orders and trades reconcile to the last digit, for any orders', async () => {
  await account.close()
  account = await openAccount({ balances: { ZUSD: '100000', XXBT: '1' } })
  const { exchange, side, place } = account
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
    const last = Number(
      [...exchange.markets.values()].find((market) => market.symbol === symbol)?.lastPrice,
    )
    side.setDepth(depth)
    side.setSpread(depth % 7)
    const amount = symbol === 'BTC/USD' ? lots / 1e8 : lots / 1e5
    const price = last * (1 + offsetBps / 10_000)
    const placing = place({
      symbol,
      type,
      side: direction,
      amount,
      price,
      params: type === 'limit' ? params : {},
    })
    accepted += await placing.then(
      () => 1,
      (error: Error) => (REFUSED.includes(error.name) ? 0 : Promise.reject(error)),
    )
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
  const balances = Object.entries(side.balances()).map(([asset, amount]) => [asset, tenths(amount)])
  expect(Object.fromEntries(balances)).toEqual(Object.fromEntries(told))
  expect([...told].filter(([, amount]) => amount < 0n)).toEqual([])
  const summed = (name: 'cost' | 'fee') =>
    [trades, side.orders()].map((rows) => rows.reduce((sum, row) => sum + tenths(row[name]), 0n))
  for (const name of ['cost', 'fee'] as const) expect(new Set(summed(name)).size).toBe(1)
})

const REFUSED = ['InsufficientFunds', 'InvalidOrder', 'ExchangeError']

type Trade = { pair: string; type: 'buy' | 'sell'; vol: string; cost: string; fee: string }

type History = { result: { count: number; trades: Record<string, Trade> } }

/** All pages of the history. */
async function allTrades(): Promise<Trade[]> {
  const trades = new Map<string, Trade>()
  let count = 1
  for (let offset = 0; offset < count; offset += 50) {
    const { result } = (await account.call('TradesHistory', { ofs: String(offset) })) as History
    count = result.count
    for (const [id, trade] of Object.entries(result.trades)) trades.set(id, trade)
  }
  expect(trades.size).toBe(count)
  return [...trades.values()]
}

const ONE = 10n ** 10n

/** A decimal as an integer of 10⁻¹⁰. */
function tenths(decimal: string): bigint {
  const [whole = '', fraction = ''] = decimal.split('.')
  return BigInt(whole + fraction.padEnd(10, '0'))
}
