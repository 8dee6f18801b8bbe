import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { afterAll, expect, test } from 'vitest'
import { decimalToUnits } from '#core/money/decimal.ts'
import {
  openExchangeAccount,
  OrderRejected,
  OrderRenamed,
  OrderUnknown,
  type ExchangeAccount,
} from './exchange-account.ts'
import { clockNonces } from './nonces.ts'
import type { ExchangeName } from './open-exchange.ts'

/**
 * The meaning of every documented answer to an order, through the client and over a socket. The
 * bodies are those of the exchanges' documentation and of recorded answers (docs/emulators.md).
 */

const ID = '0197f1b2-7c3e-7000-8000-00000000000a'
const SENT_AT = new Date(Date.UTC(2026, 10, 27, 12))
const ORDER = {
  id: ID,
  pair: 'BTC/USDT',
  side: 'buy',
  quantity: decimalToUnits('0.05'),
  limit: decimalToUnits('60000'),
  sentAt: SENT_AT,
} as const

type Answer = { status?: number; body: unknown }
type Answers = Record<string, Answer>

/** An exchange that answers each call with what the test says, by method and path. */
type Canned = { account: ExchangeAccount; answers: Answers; sent: string[] }

const closers: (() => Promise<unknown>)[] = []
afterAll(() => Promise.all(closers.map((close) => close())))

async function canned(name: ExchangeName): Promise<Canned> {
  const answers: Answers = { ...MARKETS[name] }
  const sent: string[] = []
  const server = createServer(async (request, response) => {
    const { pathname, search } = new URL(request.url ?? '/', 'http://exchange')
    const path = `${request.method} ${pathname}`
    sent.push(`${path} ${search} ${await read(request)}`)
    const { status = 200, body } = answers[path] ?? { status: 404, body: {} }
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  closers.push(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const now = () => SENT_AT
  const account = openExchangeAccount(
    { name, restUrl: `http://127.0.0.1:${port}`, rateLimitMs: 1, ...KEYS[name] },
    { now, nonces: clockNonces(now) },
  )
  return { account, answers, sent }
}

async function read(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const chunk of request.setEncoding('utf8')) body += chunk
  return body
}

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const KEYS: Record<ExchangeName, { apiKey: string; secret: string }> = {
  kraken: { apiKey: 'key', secret: Buffer.from('secret').toString('base64') },
  binance: { apiKey: 'key', secret: 'secret' },
  coinbase: {
    apiKey: 'organizations/1/apiKeys/2',
    secret: String(privateKey.export({ type: 'sec1', format: 'pem' })),
  },
}

const KRAKEN_MARKET = {
  altname: 'XBTUSD',
  wsname: 'XBT/USD',
  aclass_base: 'currency',
  base: 'XXBT',
  aclass_quote: 'currency',
  quote: 'ZUSD',
  pair_decimals: 1,
  lot_decimals: 8,
  cost_decimals: 5,
  ordermin: '0.00005',
  costmin: '0.5',
  tick_size: '0.1',
  fees: [[0, 0.4]],
  fees_maker: [[0, 0.25]],
  status: 'online',
}
const BINANCE_MARKET = {
  symbol: 'BTCUSDT',
  status: 'TRADING',
  baseAsset: 'BTC',
  quoteAsset: 'USDT',
  isSpotTradingAllowed: true,
  orderTypes: ['LIMIT', 'LIMIT_MAKER', 'MARKET'],
  filters: [
    { filterType: 'PRICE_FILTER', minPrice: '0.01', maxPrice: '1000000', tickSize: '0.01' },
    { filterType: 'LOT_SIZE', minQty: '0.00001', maxQty: '9000', stepSize: '0.00001' },
    { filterType: 'NOTIONAL', minNotional: '5', maxNotional: '9000000' },
  ],
}
const COINBASE_MARKET = {
  product_id: 'BTC-USD',
  base_currency_id: 'BTC',
  quote_currency_id: 'USD',
  base_increment: '0.00000001',
  price_increment: '0.01',
  base_min_size: '0.00000001',
  quote_min_size: '1',
  product_type: 'SPOT',
  status: 'online',
  trading_disabled: false,
  is_disabled: false,
  cancel_only: false,
  limit_only: false,
  post_only: false,
  auction_mode: false,
  view_only: false,
}

const MARKETS: Record<ExchangeName, Answers> = {
  kraken: {
    'GET /0/public/AssetPairs': { body: { error: [], result: { XXBTZUSD: KRAKEN_MARKET } } },
  },
  binance: { 'GET /api/v3/exchangeInfo': { body: { symbols: [BINANCE_MARKET] } } },
  coinbase: {
    'GET /api/v3/brokerage/market/products': { body: { products: [COINBASE_MARKET] } },
    'GET /api/v3/brokerage/transaction_summary': {
      body: { fee_tier: { taker_fee_rate: '0.012', maker_fee_rate: '0.006' } },
    },
  },
}

const PLACE: Record<ExchangeName, string> = {
  kraken: 'POST /0/private/AddOrder',
  binance: 'POST /api/v3/order',
  coinbase: 'POST /api/v3/brokerage/orders',
}

type Meaning = 'refused' | 'unknown'

/** Answers to an order, by status, with the reason in the exchange's own words. */
const KRAKEN_ERRORS: Record<Meaning, string[]> = {
  refused: [
    'EAPI:Feature disabled',
    'EAPI:Invalid key',
    'EAPI:Invalid nonce',
    'EAPI:Invalid signature',
    'EAPI:Rate limit exceeded',
    'EAccount:Invalid permissions',
    'EAuth:Account temporary disabled',
    'EAuth:Account unconfirmed',
    'EAuth:Rate limit exceeded',
    'EAuth:Too many requests',
    'EBM:limit exceeded:CAL',
    'EGeneral:Invalid arguments',
    'EGeneral:Invalid arguments:volume minimum not met',
    'EGeneral:Invalid arguments:Index unavailable',
    'EGeneral:Permission denied',
    'EGeneral:Temporary lockout',
    'EGeneral:Too many requests',
    'EOrder:Cannot open opposing position',
    'EOrder:Cannot open position',
    'EOrder:Cost minimum not met',
    'EOrder:Domain rate limit exceeded',
    'EOrder:Insufficient funds',
    'EOrder:Insufficient margin',
    'EOrder:Invalid order',
    'EOrder:Invalid price',
    'EOrder:Invalid price:XBT/USD price can only be specified up to 1 decimals.',
    'EOrder:Margin allowance exceeded',
    'EOrder:Margin level too low',
    'EOrder:Margin position size exceeded',
    'EOrder:Order minimum not met',
    'EOrder:Orders limit exceeded',
    'EOrder:Positions limit exceeded',
    'EOrder:Post only order',
    'EOrder:Rate limit exceeded',
    'EOrder:Reduce only:No position exists',
    'EOrder:Scheduled orders limit exceeded',
    'EOrder:Tick size check failed',
    'EOrder:Trading agreement required',
    'EOrder:Unknown position',
    'EQuery:Invalid asset pair',
    'EQuery:Unknown asset',
    'EQuery:Unknown asset pair',
    'EService:Deadline elapsed',
    'EService:Market in cancel_only mode',
    'EService:Market in limit_only mode',
    'EService:Market in post_only mode',
    'EService:Market in reduce_only mode',
    'ETrade:Invalid request',
    'ETrade:Locked',
    'ETrade:User Locked',
  ],
  unknown: [
    'EService:Unavailable',
    'EService:Busy',
    'EService:Timeout',
    'EGeneral:Internal error',
    'EGeneral:Internal error:1234',
    'EDatabase:Internal error',
    'EGeneral:Invalid arguments:cl_ord_id not unique',
    'EGeneral:Unknown method',
    'WGeneral:Danger',
    'ESomething:New',
  ],
}

const BINANCE_ERRORS: Record<Meaning, [status: number, code: number, message: string][]> = {
  refused: [
    [401, -1002, 'You are not authorized to execute this request.'],
    [
      429,
      -1003,
      'Too much request weight used; current limit is 6000 request weight per 1 MINUTE.',
    ],
    [418, -1003, 'Way too much request weight used; IP banned until 1764240000000.'],
    [400, -1013, 'Filter failure: NOTIONAL'],
    [400, -1013, 'Filter failure: LOT_SIZE'],
    [400, -1014, 'Unsupported order combination.'],
    [429, -1015, 'Too many new orders; current limit is 100 orders per 10 SECOND.'],
    [400, -1020, 'This operation is not supported.'],
    [400, -1021, 'Timestamp for this request is outside of the recvWindow.'],
    [400, -1021, "Timestamp for this request was 1000ms ahead of the server's time."],
    [400, -1022, 'Signature for this request is not valid.'],
    [400, -1100, "Illegal characters found in parameter 'price'; legal range is '^.*$'."],
    [400, -1101, 'Too many parameters sent for this endpoint.'],
    [400, -1102, "Mandatory parameter 'symbol' was not sent, was empty/null, or malformed."],
    [400, -1103, 'An unknown parameter was sent.'],
    [400, -1104, 'Not all sent parameters were read.'],
    [400, -1105, "Parameter 'price' was empty."],
    [400, -1106, "Parameter 'price' sent when not required."],
    [400, -1108, "Parameter 'quantity' overflowed."],
    [400, -1111, "Parameter 'quantity' has too much precision."],
    [400, -1112, 'No orders on book for symbol.'],
    [400, -1114, 'TimeInForce parameter sent when not required.'],
    [400, -1115, 'Invalid timeInForce.'],
    [400, -1116, 'Invalid orderType.'],
    [400, -1117, 'Invalid side.'],
    [400, -1118, 'New client order ID was empty.'],
    [400, -1121, 'Invalid symbol.'],
    [400, -1128, 'Combination of optional parameters invalid.'],
    [400, -1130, "Data sent for parameter 'price' is not valid."],
    [400, -1131, 'recvWindow must be less than 60000.'],
    [400, -1134, '`strategyType` was less than 1000000.'],
    [400, -2014, 'API-key format invalid.'],
    [401, -2015, 'Invalid API-key, IP, or permissions for action.'],
    [400, -2010, 'Account has insufficient balance for requested action.'],
    [400, -2010, 'Market is closed.'],
    [400, -2010, 'This symbol is not permitted for this account.'],
    [400, -2010, 'This symbol is restricted for this account.'],
    [400, -2010, 'This account may not place or cancel orders.'],
    [400, -2010, 'This action is disabled on this account.'],
    [400, -2010, 'Rest API trading is not enabled.'],
    [400, -2010, 'Price * QTY is zero or less.'],
    [400, -2010, 'Unsupported order combination'],
    [400, -1010, 'Order would immediately match and take.'],
  ],
  unknown: [
    [400, -1000, 'An unknown error occurred while processing the request.'],
    [400, -1001, 'Internal error; unable to process your request. Please try again.'],
    [400, -1006, 'An unexpected response was received. Execution status unknown.'],
    [400, -1007, 'Timeout waiting for response. Send status unknown; execution status unknown.'],
    [400, -1008, 'Server is currently overloaded with other requests.'],
    [400, -1016, 'This service is no longer available.'],
    [400, -2010, 'Duplicate order sent.'],
    [400, -2010, 'Something new.'],
    [400, -2011, 'Unknown order sent.'],
    [400, -2013, 'Order does not exist.'],
    [400, -2026, 'Order was canceled or expired with no executed qty over 90 days ago.'],
    [400, -9999, 'Something new.'],
    [500, -2015, 'Invalid API-key, IP, or permissions for action.'],
    [503, -1008, 'Server is currently overloaded with other requests.'],
    [502, -1013, 'Filter failure: LOT_SIZE'],
  ],
}

const COINBASE_REASONS: Record<Meaning, string[]> = {
  refused: [
    'BREACHED_RISK_LIMIT',
    'COMMANDER_REJECTED_NEW_ORDER',
    'GEOFENCING_RESTRICTION',
    'INELIGIBLE_PAIR',
    'INSUFFICIENT_FUND',
    'INSUFFICIENT_FUNDS',
    'INVALID_LEDGER_BALANCE',
    'INVALID_LIMIT_PRICE',
    'INVALID_LIMIT_PRICE_POST_ONLY',
    'INVALID_NO_LIQUIDITY',
    'INVALID_PRICE_PRECISION',
    'INVALID_PRODUCT_ID',
    'INVALID_REQUEST',
    'INVALID_SIDE',
    'INVALID_SIZE_PRECISION',
    'INVALID_UNSUPPORTED_INSTRUMENT',
    'LIMIT_ORDER_PRICE_EXCEEDS_PRICE_BAND_ON_BUY',
    'LIMIT_ORDER_PRICE_EXCEEDS_PRICE_BAND_ON_SELL',
    'LIMIT_PRICE_TOO_FAR_FROM_MARKET',
    'MISSING_MARKET_TRADE_DATA',
    'ORDER_ENTRY_DISABLED',
    'PRODUCT_TRADING_HALTED',
    'TRADING_DISABLED',
    'UNSUPPORTED_ORDER_CONFIGURATION',
    'UNTRADABLE_PRODUCT',
  ],
  unknown: [
    'UNKNOWN_FAILURE_REASON',
    'DUPLICATE_CLIENT_ORDER_ID',
    'ORDER_IS_PENDING_CANCEL',
    'TOO_MANY_PENDING_REPLACES',
    'STOP_ALREADY_TRIGGERED',
    'SOMETHING_NEW',
  ],
}

const coinbaseFailure = (reason: string, field: string) => ({
  success: false,
  failure_reason: 'UNKNOWN_FAILURE_REASON',
  order_id: '',
  error_response: {
    error: 'UNKNOWN_FAILURE_REASON',
    message: 'a sentence',
    error_details: '',
    preview_failure_reason: 'UNKNOWN_PREVIEW_FAILURE_REASON',
    [field]: reason,
  },
})

const COINBASE_STATUSES: Record<Meaning, [status: number, body: unknown][]> = {
  refused: [
    [400, { error: 'INVALID_ARGUMENT', error_details: '', message: 'size is required' }],
    [401, 'Unauthorized'],
    [401, { error: 'UNAUTHENTICATED', message: 'the key is wrong' }],
    [403, { error: 'PERMISSION_DENIED', error_details: '', message: 'Missing required scopes' }],
    [429, { errors: [{ id: 'rate_limit_exceeded', message: 'Too many requests' }] }],
    [401, { errors: [{ id: 'authentication_error', message: 'request timestamp expired' }] }],
  ],
  unknown: [
    [400, { error: 'unknown', error_details: 'something', message: 'something' }],
    [404, { errors: [{ id: 'not_found', message: 'Not found' }] }],
    [500, { error: 'INTERNAL', message: 'internal error' }],
    [500, coinbaseFailure('INSUFFICIENT_FUND', 'error')],
    [502, 'Bad Gateway'],
    [503, ''],
    [200, 'not even JSON'],
    [200, {}],
  ],
}

const ERRORS: [name: ExchangeName, meaning: Meaning, said: string, answer: Answer][] = (
  ['refused', 'unknown'] as const
).flatMap((meaning) => [
  ...KRAKEN_ERRORS[meaning].map((said): (typeof ERRORS)[number] => [
    'kraken',
    meaning,
    said,
    { body: { error: [said] } },
  ]),
  ...BINANCE_ERRORS[meaning].map(([status, code, msg]): (typeof ERRORS)[number] => [
    'binance',
    meaning,
    `${status} ${code} ${msg}`,
    { status, body: { code, msg } },
  ]),
  ...COINBASE_REASONS[meaning].flatMap((reason): typeof ERRORS => [
    ['coinbase', meaning, reason, { body: coinbaseFailure(reason, 'error') }],
    [
      'coinbase',
      meaning,
      `preview ${reason}`,
      { status: 400, body: coinbaseFailure(`PREVIEW_${reason}`, 'preview_failure_reason') },
    ],
  ]),
  ...COINBASE_STATUSES[meaning].map(([status, body]): (typeof ERRORS)[number] => [
    'coinbase',
    meaning,
    `${status} ${JSON.stringify(body)}`,
    { status, body },
  ]),
])

ERRORS.push(
  ['kraken', 'unknown', 'two errors', { body: { error: ['EOrder:Rate limit exceeded', 'E:X'] } }],
  ['kraken', 'unknown', 'HTTP 502', { status: 502, body: 'Bad Gateway' }],
  ['kraken', 'unknown', 'HTTP 520', { status: 520, body: '' }],
  ['kraken', 'unknown', 'HTTP 429', { status: 429, body: '' }],
  ['binance', 'refused', 'the firewall', { status: 403, body: '<html>Forbidden</html>' }],
  ['binance', 'unknown', 'HTTP 504', { status: 504, body: '' }],
  ['binance', 'unknown', 'HTTP 400 without a code', { status: 400, body: '<html></html>' }],
)

const open = new Map<ExchangeName, Promise<Canned>>()
const exchangeOf = (name: ExchangeName): Promise<Canned> => {
  const opened = open.get(name) ?? canned(name)
  open.set(name, opened)
  return opened
}

test.each(ERRORS)('%s: an order is %s: %s', async (name, meaning, _, answer) => {
  const { account, answers } = await exchangeOf(name)
  answers[PLACE[name]] = answer
  const ended = await account.send(ORDER).catch((error: unknown) => error)
  // An answer without a refusal is looked up by our id, whatever it says.
  if ((answer.status ?? 200) === 200 && ended === undefined) return expect(meaning).toBe('unknown')
  expect(ended).toBeInstanceOf(meaning === 'refused' ? OrderRejected : OrderUnknown)
})

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

test.each(NAMES)('%s: an order is sent once, under our id and in its own words', async (name) => {
  const { account, answers, sent } = await canned(name)
  answers[PLACE[name]] = { body: ECHOES[name](ID) }
  await account.send(ORDER)
  const orders = sent.filter((line) => line.startsWith(PLACE[name]))
  expect(orders).toHaveLength(1)
  for (const part of [...SAID[name], ID])
    expect(decodeURIComponent(orders[0] ?? '')).toContain(part)
})

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
  '%s: an order that is kept under another id is not taken for ours',
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
    },
    [/^Kraken pays rewards on USD\.F, XBT\.F, XBT\.B, /],
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
    },
    [/^Binance takes its fees from BNB, /],
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
    },
    [],
  ],
}

test.each(NAMES)('%s: balances, and settings that make the books differ', async (name) => {
  const { account, answers } = await exchangeOf(name)
  const [held, findings] = BALANCES[name]
  Object.assign(answers, held)
  const balances = await account.balances()
  expect([balances.get('USD'), balances.get('BTC'), balances.get('ETH')]).toEqual([
    decimalToUnits('100'),
    decimalToUnits('1.5'),
    0n,
  ])
  const said = await account.examine()
  expect(said.length).toBe(findings.length)
  for (const [index, finding] of findings.entries()) expect(said[index]).toMatch(finding)
})

test.each(NAMES)('%s: a balance that cannot be read is not 0', async (name) => {
  const { account, answers } = await exchangeOf(name)
  const broken = JSON.stringify(BALANCES[name][0]).replace(/"(1\.0000000000|1\.5|1)"/, '"n/a"')
  Object.assign(answers, JSON.parse(broken) as Answers)
  await expect(account.balances()).rejects.toThrow(/cannot be read/)
})

test('a Coinbase key is read with its line ends written out, and in quotes', async () => {
  const written = KEYS.coinbase.secret.replaceAll('\n', '\\n')
  for (const secret of [written, `"${written}"`, `'${KEYS.coinbase.secret}'`]) {
    KEYS.coinbase.secret = secret
    const { account, answers } = await canned('coinbase')
    Object.assign(answers, BALANCES.coinbase[0])
    expect((await account.balances()).get('USD')).toBe(decimalToUnits('100'))
  }
})
