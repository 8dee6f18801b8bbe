import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { decimalToUnits } from '#core/money/decimal.ts'
import { openExchangeAccount, type ExchangeAccount } from '#server/exchange/exchange-account.ts'
import { clockNonces } from '#server/exchange/nonces.ts'
import type { ExchangeName } from '#server/exchange/open-exchange.ts'

export const ID = '0197f1b2-7c3e-7000-8000-00000000000a'
const SENT_AT = new Date(Date.UTC(2026, 10, 27, 12))
export const ORDER = {
  id: ID,
  pair: 'BTC/USDT',
  side: 'buy',
  quantity: decimalToUnits('0.05'),
  limit: decimalToUnits('60000'),
  sentAt: SENT_AT,
} as const

export type Answer = { status?: number; body: unknown }
export type Answers = Record<string, Answer>

/** An exchange that answers each call as the test defines, by method and path. */
export type Canned = { account: ExchangeAccount; answers: Answers; sent: string[] }

const closers: (() => Promise<unknown>)[] = []
export const closeAll = () => Promise.all(closers.map((close) => close()))

export async function canned(name: ExchangeName): Promise<Canned> {
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
export const KEYS: Record<ExchangeName, { apiKey: string; secret: string }> = {
  kraken: { apiKey: 'key', secret: Buffer.from('secret').toString('base64') },
  binance: { apiKey: 'key', secret: 'secret' },
  coinbase: {
    apiKey: 'organizations/1/apiKeys/2',
    secret: String(privateKey.export({ type: 'sec1', format: 'pem' })),
  },
}

export const KRAKEN_MARKET = {
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
export const BINANCE_MARKET = {
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
export const COINBASE_MARKET = {
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

export const PLACE: Record<ExchangeName, string> = {
  kraken: 'POST /0/private/AddOrder',
  binance: 'POST /api/v3/order',
  coinbase: 'POST /api/v3/brokerage/orders',
}

const open = new Map<ExchangeName, Promise<Canned>>()
export const exchangeOf = (name: ExchangeName): Promise<Canned> => {
  const opened = open.get(name) ?? canned(name)
  open.set(name, opened)
  return opened
}
