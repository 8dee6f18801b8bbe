import { afterEach, expect, test } from 'vitest'
import type { ExchangeName } from './exchange-state.ts'
import { BITCOIN, openAccount, type Account } from './orders/account.ts'

let account: Account
afterEach(() => account.close())

const NAMES: readonly ExchangeName[] = ['kraken', 'binance', 'coinbase']
/** Each exchange's own name of bitcoin. */
const COIN: Record<ExchangeName, string> = { kraken: 'XXBT', binance: 'BTC', coinbase: 'BTC' }
const parts = (decimal = '0'): bigint => {
  const [whole = '', fraction = ''] = decimal.split('.')
  return BigInt(whole + fraction.padEnd(10, '0'))
}

/** A hundredth of a bitcoin at 60,000, the fee of each exchange, and what is left. */
const SCENARIO: Record<
  ExchangeName,
  {
    bought: Record<string, string>
    boughtFees: Record<string, string>
    sold: Record<string, string>
  }
> = {
  kraken: {
    bought: { ZUSD: '9397.6', XXBT: '1.01' },
    boughtFees: { ZUSD: '2.4' },
    sold: { ZUSD: '9995.2', XXBT: '1' },
  },
  binance: {
    bought: { USDT: '9400', BTC: '1.00999' },
    boughtFees: { BTC: '0.00001' },
    sold: { USDT: '9999.4', BTC: '0.99999' },
  },
  coinbase: {
    bought: { USD: '9397.6', BTC: '1.01' },
    boughtFees: { USD: '2.4' },
    sold: { USD: '9995.2', BTC: '1' },
  },
}

const asParts = (amounts: Record<string, string>) =>
  Object.fromEntries(Object.entries(amounts).map(([asset, amount]) => [asset, parts(amount)]))

test.each(NAMES)('%s: an order that is filled moves balances and charges its fee', async (name) => {
  account = await openAccount({ name })
  const { side, place } = account
  const { bought, boughtFees, sold } = SCENARIO[name]
  await place({ type: 'limit', price: 60_000, params: { timeInForce: 'IOC' } })
  expect(asParts(side.balances())).toEqual(asParts(bought))
  expect(asParts(side.orders()[0]?.fees ?? {})).toEqual(asParts(boughtFees))
  await place({ type: 'limit', side: 'sell', price: 60_000, params: { timeInForce: 'IOC' } })
  expect(asParts(side.balances())).toEqual(asParts(sold))
  expect(side.orders()).toMatchObject([{ status: 'closed' }, { status: 'closed' }])
})

const STATES = [
  { depth: 10_000, price: 59_000, timeInForce: 'GTC', executed: 0, status: 'open' },
  { depth: 4_000, price: 60_000, timeInForce: 'GTC', executed: 4, status: 'open' },
  { depth: 4_000, price: 60_000, timeInForce: 'IOC', executed: 4, status: 'canceled' },
  { depth: 10_000, price: 59_000, timeInForce: 'IOC', executed: 0, status: 'canceled' },
  { depth: 10_000, price: 60_000, timeInForce: 'IOC', executed: 10, status: 'closed' },
]
/** The official client's word for each exchange's status. */
const READ: Record<ExchangeName, Record<string, string>> = {
  kraken: { open: 'open', canceled: 'canceled', closed: 'closed' },
  binance: { open: 'open', canceled: 'expired', closed: 'closed' },
  coinbase: { open: 'open', canceled: 'canceled', closed: 'closed' },
}

test.each(NAMES.flatMap((name) => STATES.map((state) => ({ name, ...state }))))(
  '$name: $timeInForce at $price with depth $depth is $status after $executed thousandths',
  async ({ name, depth, price, timeInForce, executed, status }) => {
    account = await openAccount({ name })
    const { side, place, client } = account
    side.setDepth(depth)
    const { id } = await place({ type: 'limit', price, params: { timeInForce } })
    expect(side.orders()).toMatchObject([{ status, volume: expect.stringMatching(/^0\.010*$/) }])
    expect(parts(side.orders()[0]?.executed)).toBe(BigInt(executed) * 10n ** 7n)
    const found = await client.fetchOrder(String(id), BITCOIN[name])
    expect([found.status, Number(found.filled)]).toEqual([READ[name][status], executed / 1_000])
  },
)

test.each(NAMES)('%s: an open order reserves its money until it is canceled', async (name) => {
  account = await openAccount({ name })
  const { side, place, client, exchange } = account
  const { id } = await place({ type: 'limit', price: 50_000, amount: 0.195 })
  await expect(place({ type: 'limit', price: 50_000 })).rejects.toMatchObject({
    name: 'InsufficientFunds',
  })
  await client.cancelOrder(String(id), BITCOIN[name])
  expect(side.orders()).toMatchObject([{ status: 'canceled' }])
  await place({ type: 'limit', price: 50_000 })
  exchange.market.trade(BITCOIN[name], '49000')
  expect(side.orders()).toMatchObject([{ status: 'canceled' }, { status: 'closed' }])
  expect(asParts(side.balances())[exchange.money]).toBeGreaterThanOrEqual(parts('9498'))
  expect(Object.keys(side.balances())).toContain(COIN[name])
})

const FAULTS = [
  { fault: 'lose-reply', executes: 1 },
  { fault: 'drop-before', executes: 0 },
  { fault: 'rate-limit', executes: 0 },
  { fault: 'maintenance', executes: 0 },
  { fault: 'unavailable', executes: 0 },
  { fault: 'busy', executes: 0 },
  { fault: 'internal-error', executes: 0 },
] as const

test.each(NAMES.flatMap((name) => FAULTS.map((fault) => ({ name, ...fault }))))(
  '$name: $fault fails one order, of which the exchange executes $executes',
  async ({ name, fault, executes }) => {
    account = await openAccount({ name })
    const { side, place } = account
    side.meet(fault)
    const order = { type: 'limit', price: 60_000, params: { timeInForce: 'IOC' } } as const
    await expect(place(order)).rejects.toBeInstanceOf(Error)
    expect([side.received(), side.orders().length]).toEqual([1, executes])
    await place(order)
    expect(side.orders()).toHaveLength(executes + 1)
  },
)
