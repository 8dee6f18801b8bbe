import { afterAll, expect, test } from 'vitest'
import { decimalToUnits } from '#core/money/decimal.ts'
import {
  BINANCE_MARKET,
  canned,
  closeAll,
  COINBASE_MARKET,
  exchangeOf,
  ID,
  KEYS,
  KRAKEN_MARKET,
  ORDER,
  PLACE,
  type Answer,
  type Answers,
} from '../../../test/emulators/canned-exchange.ts'
import { OrderRenamed, OrderUnknown } from './exchange-account.ts'
import type { ExchangeName } from './open-exchange.ts'

afterAll(closeAll)

const KRAKEN_ORDER = {
  cl_ord_id: ID,
  status: 'closed',
  vol_exec: '0.05000000',
  cost: '3000.00000',
  fee: '7.50000',
  oflags: 'fciq',
}
const BINANCE_ORDER = {
  symbol: 'BTCUSDT',
  orderId: 28,
  clientOrderId: ID,
  status: 'FILLED',
  executedQty: '0.05000000',
  cummulativeQuoteQty: '3000.00000000',
}
const BINANCE_TRADE = {
  id: 1,
  orderId: 28,
  qty: '0.05000000',
  quoteQty: '3000.00000000',
  commission: '0.00005000',
  commissionAsset: 'BTC',
}
const COINBASE_ORDER = {
  order_id: '11111111-0000-0000-0000-000000000000',
  client_order_id: ID,
  side: 'BUY',
  status: 'FILLED',
  filled_size: '0.05',
  filled_value: '3000.0000000001',
  total_fees: '36',
}

type Story = { order?: object; trades?: object[] }

function answersTo(name: ExchangeName, { order, trades }: Story): Answers {
  if (name === 'kraken') {
    const list = (key: string) => ({
      body: { error: [], result: { [key]: order ? { O1: order } : {} } },
    })
    return {
      'POST /0/private/ClosedOrders': list('closed'),
      'POST /0/private/OpenOrders': { body: { error: [], result: { open: {} } } },
    }
  }
  if (name === 'binance')
    return {
      'GET /api/v3/order': order
        ? { body: order }
        : { status: 400, body: { code: -2013, msg: 'Order does not exist.' } },
      'GET /api/v3/myTrades': { body: trades ?? [BINANCE_TRADE] },
    }
  return {
    'GET /api/v3/brokerage/orders/historical/batch': {
      body: { orders: order ? [order] : [], has_next: false, cursor: '' },
    },
  }
}

const figures = (quantity: string, notional: string, fees: Record<string, string>) => ({
  isOpen: false,
  quantity: decimalToUnits(quantity),
  notional: decimalToUnits(notional),
  fees: new Map(Object.entries(fees).map(([asset, fee]) => [asset, decimalToUnits(fee)])),
})
const NOTHING = figures('0', '0', {})

const EMPTY = {
  kraken: { ...KRAKEN_ORDER, vol_exec: '0.00000000', cost: '0.00000', fee: '0.00000' },
  binance: { ...BINANCE_ORDER, executedQty: '0.00000000', cummulativeQuoteQty: '0.00000000' },
  coinbase: { ...COINBASE_ORDER, filled_size: '0', filled_value: '0', total_fees: '0' },
}
const STATES: Record<ExchangeName, Record<'open' | 'ended' | 'unknown', string[]>> = {
  kraken: {
    open: ['pending', 'open'],
    ended: ['closed', 'canceled', 'expired'],
    unknown: ['new-state', ''],
  },
  binance: {
    open: ['NEW', 'PENDING_NEW', 'PARTIALLY_FILLED', 'PENDING_CANCEL'],
    ended: ['FILLED', 'CANCELED', 'REJECTED', 'EXPIRED', 'EXPIRED_IN_MATCH'],
    unknown: ['NEW_STATE', ''],
  },
  coinbase: {
    open: ['PENDING', 'OPEN', 'QUEUED', 'CANCEL_QUEUED', 'EDIT_QUEUED'],
    ended: ['FILLED', 'CANCELLED', 'EXPIRED', 'FAILED'],
    unknown: ['UNKNOWN_ORDER_STATUS', 'NEW_STATE', ''],
  },
}
const NAMES = ['kraken', 'binance', 'coinbase'] as const

test.each(
  NAMES.flatMap((name) =>
    (['open', 'ended', 'unknown'] as const).flatMap((meaning) =>
      STATES[name][meaning].map((status) => ({ name, meaning, status })),
    ),
  ),
)('$name: the status "$status" is $meaning', async ({ name, meaning, status }) => {
  const { account, answers } = await exchangeOf(name)
  Object.assign(answers, answersTo(name, { order: { ...EMPTY[name], status } }))
  const found = await account.find(ORDER).catch((error: unknown) => error)
  if (meaning === 'unknown') return expect(found).toBeInstanceOf(OrderUnknown)
  if (meaning === 'open') return expect(found).toMatchObject({ isOpen: true })
  expect(found).toEqual({
    ...NOTHING,
    fees: name === 'coinbase' ? new Map([['USD', 0n]]) : new Map(),
  })
})

const BNB = { commission: '0.00250000', commissionAsset: 'BNB' }
const HALF = { qty: '0.02500000', quoteQty: '1500.00000000' }

const FIGURES: [name: ExchangeName, story: string, Story, object | 'unknown' | undefined][] = [
  ['kraken', 'none', {}, undefined],
  ['kraken', 'a fee in dollars', { order: KRAKEN_ORDER }, figures('0.05', '3000', { USD: '7.5' })],
  [
    'kraken',
    'a fee in coins',
    { order: { ...KRAKEN_ORDER, oflags: 'fcib', fee: '0.0001250' } },
    figures('0.05', '3000', { BTC: '0.000125' }),
  ],
  ['kraken', 'a fee in what?', { order: { ...KRAKEN_ORDER, oflags: '' } }, 'unknown'],
  ['kraken', 'no fee named', { order: { ...KRAKEN_ORDER, fee: undefined } }, 'unknown'],
  ['kraken', 'no cost', { order: { ...KRAKEN_ORDER, cost: '0' } }, 'unknown'],
  ['kraken', 'a cost as words', { order: { ...KRAKEN_ORDER, cost: 'much' } }, 'unknown'],
  ['kraken', 'another id', { order: { ...KRAKEN_ORDER, cl_ord_id: 'other' } }, undefined],
  ['binance', 'none', {}, undefined],
  [
    'binance',
    'a fee in coins',
    { order: BINANCE_ORDER },
    figures('0.05', '3000', { BTC: '0.00005' }),
  ],
  [
    'binance',
    'a fee in USDT',
    {
      order: BINANCE_ORDER,
      trades: [{ ...BINANCE_TRADE, commission: '3', commissionAsset: 'USDT' }],
    },
    figures('0.05', '3000', { USD: '3' }),
  ],
  [
    'binance',
    'a fee in BNB until it runs out',
    {
      order: BINANCE_ORDER,
      trades: [
        { ...BINANCE_TRADE, ...HALF, ...BNB },
        { ...BINANCE_TRADE, ...HALF, id: 2, commission: '0.000025' },
      ],
    },
    figures('0.05', '3000', { BNB: '0.0025', BTC: '0.000025' }),
  ],
  ['binance', 'no trades yet', { order: BINANCE_ORDER, trades: [] }, 'unknown'],
  [
    'binance',
    'half of the trades',
    { order: BINANCE_ORDER, trades: [{ ...BINANCE_TRADE, ...HALF }] },
    'unknown',
  ],
  [
    'binance',
    'a trade without a fee',
    { order: BINANCE_ORDER, trades: [{ ...BINANCE_TRADE, commission: undefined }] },
    'unknown',
  ],
  [
    'binance',
    'a sum that Binance does not have',
    { order: { ...BINANCE_ORDER, cummulativeQuoteQty: '-1' } },
    'unknown',
  ],
  ['binance', 'another id', { order: { ...BINANCE_ORDER, clientOrderId: 'other' } }, undefined],
  ['coinbase', 'none', {}, undefined],
  [
    'coinbase',
    'a purchase: what is finer than the book is rounded up',
    { order: COINBASE_ORDER },
    figures('0.05', '3000.00000001', { USD: '36' }),
  ],
  [
    'coinbase',
    'a sale: what is finer than the book is rounded down',
    { order: { ...COINBASE_ORDER, side: 'SELL', total_fees: '36.0000000001' } },
    figures('0.05', '3000', { USD: '36.00000001' }),
  ],
  ['coinbase', 'no fee named', { order: { ...COINBASE_ORDER, total_fees: '' } }, 'unknown'],
  ['coinbase', 'no value', { order: { ...COINBASE_ORDER, filled_value: '' } }, 'unknown'],
  [
    'coinbase',
    'another id',
    { order: { ...COINBASE_ORDER, client_order_id: 'ccxt-other' } },
    undefined,
  ],
]

test.each(FIGURES)('%s: an order with %s', async (name, _, story, expected) => {
  const { account, answers } = await exchangeOf(name)
  Object.assign(answers, answersTo(name, story))
  const found = await account.find(ORDER).catch((error: unknown) => error)
  if (expected === 'unknown') expect(found).toBeInstanceOf(OrderUnknown)
  else expect(found).toEqual(expected)
})

test.each(NAMES)(
  "%s: an order is sent once, under our id, in the exchange's own format",
  async (name) => {
    const { account, answers, sent } = await canned(name)
    answers[PLACE[name]] = { body: ECHOES[name](ID) }
    await account.send(ORDER)
    const orders = sent.filter((line) => line.startsWith(PLACE[name]))
    expect(orders).toHaveLength(1)
    for (const part of [...SAID[name], ID])
      expect(decodeURIComponent(orders[0] ?? '')).toContain(part)
  },
)

const ECHOES: Record<ExchangeName, (id: string) => object> = {
  kraken: () => ({ error: [], result: { txid: ['O1'], descr: { order: 'buy' } } }),
  binance: (id) => ({ symbol: 'BTCUSDT', orderId: 28, clientOrderId: id, transactTime: 1 }),
  coinbase: (id) => ({
    success: true,
    order_id: '1',
    success_response: { order_id: '1', product_id: 'BTC-USD', side: 'BUY', client_order_id: id },
  }),
}
const SAID: Record<ExchangeName, string[]> = {
  kraken: [
    'pair=XXBTZUSD',
    'volume=0.05',
    'price=60000',
    'timeinforce=IOC',
    'oflags=fciq',
    'deadline=2026-11-27T12:00:05.000Z',
  ],
  binance: ['symbol=BTCUSDT', 'quantity=0.05', 'price=60000', 'timeInForce=IOC', 'recvWindow=5000'],
  coinbase: ['"product_id":"BTC-USD"', '"sor_limit_ioc"', '"base_size":"0.05"', '"60000"'],
}

test.each(['binance', 'coinbase'] as const)(
  '%s: an order stored under another id is not taken for ours',
  async (name) => {
    const { account, answers } = await exchangeOf(name)
    answers[PLACE[name]] = { body: ECHOES[name]('ccxt-12345') }
    await expect(account.send(ORDER)).rejects.toThrow(OrderRenamed)
  },
)

const MODES: [name: ExchangeName, change: object, isOpen: boolean][] = [
  ['kraken', { status: 'online' }, true],
  ['kraken', { status: 'limit_only' }, true],
  ['kraken', { status: 'cancel_only' }, false],
  ['kraken', { status: 'post_only' }, false],
  ['kraken', { status: 'reduce_only' }, false],
  ['kraken', { status: 'maintenance' }, false],
  ['kraken', { status: undefined }, false],
  ['binance', { status: 'TRADING' }, true],
  ['binance', { status: 'BREAK' }, false],
  ['binance', { status: 'HALT' }, false],
  ['binance', { status: 'END_OF_DAY' }, false],
  ['binance', { status: 'PRE_TRADING' }, false],
  ['binance', { status: 'POST_TRADING' }, false],
  ['binance', { status: 'AUCTION_MATCH' }, false],
  ['binance', { isSpotTradingAllowed: false }, false],
  ['binance', { orderTypes: ['MARKET'] }, false],
  ['coinbase', {}, true],
  ['coinbase', { limit_only: true }, true],
  ['coinbase', { cancel_only: true }, false],
  ['coinbase', { post_only: true }, false],
  ['coinbase', { trading_disabled: true }, false],
  ['coinbase', { trading_disabled: undefined }, false],
  ['coinbase', { is_disabled: true }, false],
  ['coinbase', { auction_mode: true }, false],
  ['coinbase', { view_only: true }, false],
  ['coinbase', { status: 'delisted' }, false],
]

test.each(MODES)('%s: a market with %o takes orders: %s', async (name, change, isOpen) => {
  const { account, answers } = await canned(name)
  const at = (path: string, body: unknown) => (answers[path] = { body })
  if (name === 'kraken')
    at('GET /0/public/AssetPairs', {
      error: [],
      result: { XXBTZUSD: { ...KRAKEN_MARKET, ...change } },
    })
  else if (name === 'binance')
    at('GET /api/v3/exchangeInfo', { symbols: [{ ...BINANCE_MARKET, ...change }] })
  else
    at('GET /api/v3/brokerage/market/products', { products: [{ ...COINBASE_MARKET, ...change }] })
  expect((await account.limits('BTC/USDT'))?.isOpen).toBe(isOpen)
  expect(await account.limits('ETH/USDT'), 'a pair that is not listed').toBeUndefined()
})

const coinbaseAccount = (currency: string, value: string, hold = '0') => ({
  currency,
  available_balance: { value, currency },
  hold: { value: hold, currency },
})

const krakenKey = (permissions: string) => ({
  body: { error: [], result: { apiKeyName: 'bots', permissions: permissions.split(' ') } },
})

const BALANCES: Record<ExchangeName, [held: Answers, findings: RegExp[]]> = {
  kraken: [
    {
      'POST /0/private/BalanceEx': {
        body: {
          error: [],
          result: {
            ZUSD: { balance: '90.0000', hold_trade: '0' },
            'USD.F': { balance: '10.0000', hold_trade: '0' },
            XXBT: { balance: '1.0000000000', hold_trade: '0' },
            'XBT.F': { balance: '0.5', hold_trade: '0' },
            'XBT.B': { balance: '7', hold_trade: '0' },
          },
        },
      },
      'POST /0/private/GetApiKeyInfo': krakenKey('query-funds withdraw-funds'),
    },
    [/^Kraken pays rewards on USD\.F, XBT\.F, XBT\.B, /, /^The API key at Kraken may withdraw/],
  ],
  binance: [
    {
      'GET /api/v3/account': {
        body: {
          balances: [
            { asset: 'USDT', free: '60.0', locked: '40.0' },
            { asset: 'BTC', free: '1.5', locked: '0' },
            { asset: 'LDBTC', free: '7', locked: '0' },
          ],
        },
      },
      'GET /sapi/v1/bnbBurn': { body: { spotBNBBurn: true, interestBNBBurn: false } },
      'GET /sapi/v1/account/apiRestrictions': { body: { enableWithdrawals: true } },
    },
    [/^Binance takes its fees from BNB, /, /^The API key at Binance may withdraw/],
  ],
  coinbase: [
    {
      'GET /api/v3/brokerage/accounts': {
        body: {
          accounts: [
            coinbaseAccount('USD', '60', '40'),
            coinbaseAccount('BTC', '1'),
            coinbaseAccount('BTC', '0.5'),
          ],
          has_next: false,
        },
      },
      'GET /api/v3/brokerage/key_permissions': { body: { can_transfer: true } },
    },
    [/^The API key at Coinbase may transfer money out/],
  ],
}

test.each(NAMES)('%s: balances, and settings that make the books differ', async (name) => {
  const { account, answers, sent } = await exchangeOf(name)
  const [held, findings] = BALANCES[name]
  Object.assign(answers, held)
  sent.length = 0
  const { balances, faults } = await account.read()
  const calls = sent.map((request) => request.split(' ', 2).join(' '))
  expect(calls.toSorted(), 'each call once').toEqual(Object.keys(held).toSorted())
  expect([balances.get('USD'), balances.get('BTC'), balances.get('ETH')]).toEqual([
    decimalToUnits('100'),
    decimalToUnits('1.5'),
    0n,
  ])
  expect(faults).toEqual(findings.map((finding) => expect.stringMatching(finding) as unknown))
})

/**
 * By exchange: the call that describes a key, the answer for a key that may only trade, and answers
 * for other keys.
 */
const RIGHTS: Record<ExchangeName, [call: string, allowed: Answer, refused: Answer[]]> = {
  kraken: [
    'POST /0/private/GetApiKeyInfo',
    krakenKey('query-funds query-open-trades query-closed-trades modify-trades close-trades'),
    [
      krakenKey('query-funds withdraw-funds'),
      krakenKey('query-funds add-withdraw-address'),
      krakenKey('query-funds update-withdraw-address'),
      { body: { error: [], result: { permissions: 'query-funds' } } },
      { body: { error: [], result: {} } },
    ],
  ],
  binance: [
    'GET /sapi/v1/account/apiRestrictions',
    { body: { enableWithdrawals: false } },
    [{ enableWithdrawals: true }, {}, { enableWithdrawals: 'false' }].map((body) => ({ body })),
  ],
  coinbase: [
    'GET /api/v3/brokerage/key_permissions',
    { body: { can_transfer: false } },
    [{ can_transfer: true }, {}, { can_transfer: 'false' }].map((body) => ({ body })),
  ],
}

test.each(
  NAMES.flatMap((name) => {
    const [call, allowed, refused] = RIGHTS[name]
    return [allowed, ...refused].map(
      (answer, index) => [name, answer, index === 0 ? 0 : 1, call] as const,
    )
  }),
)('%s: a key of %j has %i findings', async (name, answer, count, call) => {
  const { account, answers } = await exchangeOf(name)
  Object.assign(answers, {
    ...BALANCES[name][0],
    'POST /0/private/BalanceEx': { body: { error: [], result: {} } },
    'GET /sapi/v1/bnbBurn': { body: { spotBNBBurn: false } },
    [call]: answer,
  })
  expect((await account.read()).faults).toHaveLength(count)
})

test.each(NAMES)('%s: a balance that cannot be read is not 0', async (name) => {
  const { account, answers } = await exchangeOf(name)
  const broken = JSON.stringify(BALANCES[name][0]).replace(/"(1\.0000000000|1\.5|1)"/, '"n/a"')
  Object.assign(answers, JSON.parse(broken) as Answers)
  await expect(account.read()).rejects.toThrow(/cannot be read/)
})

test('a Coinbase key may have its line ends escaped, and be quoted', async () => {
  const written = KEYS.coinbase.secret.replaceAll('\n', '\\n')
  for (const secret of [written, `"${written}"`, `'${KEYS.coinbase.secret}'`]) {
    KEYS.coinbase.secret = secret
    const { account, answers } = await canned('coinbase')
    Object.assign(answers, BALANCES.coinbase[0])
    expect((await account.read()).balances.get('USD')).toBe(decimalToUnits('100'))
  }
})
