import type { ExchangeMarket, ExchangeState } from '../exchange-state.ts'
import type { Book, Order, OrderRequest, PlaceRefusal } from '../orders/book.ts'
import { fits, parseParts, partsOf, times, type Parts } from '../orders/decimals.ts'
import { mandatory, Refused } from './answer.ts'
import { marketOf } from './market.ts'

type Placing = {
  state: ExchangeState
  book: Book
  form: URLSearchParams
  isValidation: boolean
}

/** Checks an order and places it, or throws a refusal. */
export function placeOrder({ state, book, form, isValidation }: Placing): Order {
  const request = readOrder(state, { form, isValidation })
  const { market, clientOrderId } = request
  if (market.status !== 'online') throw new Refused(-1013)
  checkFilters(request, book)
  const isOpen = (order: Order) => order.status === 'open' && order.clientOrderId === clientOrderId
  if (book.orders.some(isOpen)) throw new Refused(-2010, 'Duplicate order sent.')
  const order = book.place(request, { isValidation })
  if (typeof order === 'string') throw new Refused(-2010, REFUSALS[order])
  return order
}

const REFUSALS: Record<PlaceRefusal, string> = {
  'post-only': 'Order would immediately match and take.',
  'insufficient-funds': 'Account has insufficient balance for requested action.',
}

/**
 * Supported parameters. Binance accepts more; those that are not emulated are refused like unknown
 * ones.
 */
const FIELDS = [
  'symbol',
  'side',
  'type',
  'timeInForce',
  'quantity',
  'price',
  'newClientOrderId',
  'newOrderRespType',
  'selfTradePreventionMode',
  'recvWindow',
  'timestamp',
  'signature',
]

function readOrder(
  state: ExchangeState,
  { form, isValidation }: Pick<Placing, 'form' | 'isValidation'>,
): OrderRequest {
  const fields = isValidation ? [...FIELDS, 'computeCommissionRates'] : FIELDS
  const [read, sent] = [[...form.keys()].filter((key) => fields.includes(key)), [...form.keys()]]
  if (read.length < sent.length)
    throw new Refused(
      -1104,
      `Not all sent parameters were read; read '${read.length}' parameter(s) but was sent '${sent.length}'.`,
    )
  const market = marketOf(state, mandatory(form, 'symbol'))
  const side = mandatory(form, 'side')
  if (side !== 'BUY' && side !== 'SELL') throw new Refused(-1117)
  const type = mandatory(form, 'type')
  if (!['LIMIT', 'LIMIT_MAKER', 'MARKET'].includes(type)) throw new Refused(-1116)
  return {
    market,
    side: side === 'BUY' ? 'buy' : 'sell',
    type: type === 'MARKET' ? 'market' : 'limit',
    volume: readDecimal(form, 'quantity'),
    limit: type === 'MARKET' ? undefined : readDecimal(form, 'price'),
    timeInForce: readTimeInForce(form, type),
    expiresMs: undefined,
    isPostOnly: type === 'LIMIT_MAKER',
    clientOrderId: readClientOrderId(form.get('newClientOrderId')),
  }
}

/** Refuses fill-or-kill orders, which are not emulated. */
function readTimeInForce(form: URLSearchParams, type: string): 'GTC' | 'IOC' {
  if (type !== 'LIMIT' && form.has('timeInForce'))
    throw new Refused(-1106, "Parameter 'timeInForce' sent when not required.")
  // The unfilled rest of a market order expires.
  if (type === 'MARKET') return 'IOC'
  const given = type === 'LIMIT' ? mandatory(form, 'timeInForce') : 'GTC'
  if (given !== 'GTC' && given !== 'IOC') throw new Refused(-1115)
  return given
}

const DECIMAL = '^([0-9]{1,20})(\\.[0-9]{1,20})?$'

function readDecimal(form: URLSearchParams, name: 'quantity' | 'price'): Parts {
  const text = mandatory(form, name)
  if (!new RegExp(DECIMAL).test(text)) throw illegal(name, DECIMAL)
  const parts = parseParts(text)
  if (parts === undefined || !fits(parts, 8))
    throw new Refused(-1111, `Parameter '${name}' has too much precision.`)
  if (parts === 0n) throw new Refused(-1013, `Invalid ${name}.`)
  return parts
}

const CLIENT_ID = '^[\\.A-Z\\:/a-z0-9_-]{1,36}$'

function readClientOrderId(text: string | null): string {
  if (text === null) return `web_${crypto.randomUUID().replaceAll('-', '')}`
  if (!new RegExp(CLIENT_ID).test(text)) throw illegal('newClientOrderId', CLIENT_ID)
  return text
}

const illegal = (name: string, range: string): Refused =>
  new Refused(-1100, `Illegal characters found in parameter '${name}'; legal range is '${range}'.`)

const MOST_OPEN_ORDERS = 200
/** `PERCENT_PRICE_BY_SIDE` of the table of markets: five times the last price, or a fifth of it. */
const FARTHEST = 5n

function checkFilters(request: OrderRequest, book: Book): void {
  const fail = (filter: string): Refused => new Refused(-1013, `Filter failure: ${filter}`)
  const { market, volume, limit } = request
  if (volume < partsOf(market.minimumLot) || !fits(volume, market.lotDecimals))
    throw fail('LOT_SIZE')
  if (limit !== undefined && !fits(limit, market.priceDecimals)) throw fail('PRICE_FILTER')
  const last = partsOf(market.lastPrice)
  if (limit !== undefined && (limit > last * FARTHEST || limit * FARTHEST < last))
    throw fail('PERCENT_PRICE_BY_SIDE')
  const notional = times({ of: volume, by: limit ?? last, places: 8 })
  if (notional < partsOf(market.minimumCost)) throw fail('NOTIONAL')
  if (openIn(book, market) >= MOST_OPEN_ORDERS) throw fail('MAX_NUM_ORDERS')
}

function openIn(book: Book, market: ExchangeMarket): number {
  return book.orders.filter((order) => order.status === 'open' && order.market === market).length
}
