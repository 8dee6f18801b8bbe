import type { AccountAsked } from '../exchange-dialect.ts'
import type { ExchangeState } from '../exchange-state.ts'
import { feesOf, rateOf, type Book, type Order } from '../orders/book.ts'
import { accountsOf, walletsOf } from './accounts.ts'
import { orderRefusal, Refused, short, uuidOf } from './answer.ts'
import { productsOf } from './market.ts'
import { OrderRefused, placeOrder, type Wanted } from './order.ts'
import { printFill, printOrder, printPlaced, printPreview } from './print.ts'

type Asked = { state: ExchangeState; book: Book; path: string; query: URLSearchParams; body: Body }
type Body = Wanted & { order_ids?: readonly string[] }

/** The signed calls of an account, by name. */
const CALLS: Readonly<Record<string, (asked: Asked) => unknown>> = {
  'POST orders': ({ state, book, body }) => {
    if (!body.client_order_id || !body.product_id || !body.order_configuration)
      throw new Refused('INVALID_ARGUMENT', 'client_order_id, product_id and order_configuration')
    return orRefused(body, (wanted) =>
      printPlaced(placeOrder({ state, book, wanted, isValidation: false })),
    )
  },
  'POST orders/preview': ({ state, book, body }) => {
    const refused = orRefused(body, (wanted) =>
      printPreview(placeOrder({ state, book, wanted, isValidation: true })),
    ) as Record<string, unknown>
    const error = refused['error_response'] as Record<string, string> | undefined
    if (error === undefined) return refused
    return { errs: [error['preview_failure_reason'] ?? error['new_order_failure_reason']] }
  },
  'POST orders/batch_cancel': ({ book, body: { order_ids: ids = [] } }) => ({
    results: ids.map((id) => {
      const order = book.orders.find(({ txid }) => txid === id)
      if (order?.status === 'open') book.cancel(order, 'User requested cancel')
      const isCanceled = order?.status === 'canceled' && order.reason === 'User requested cancel'
      return {
        success: isCanceled,
        failure_reason: isCanceled
          ? 'UNKNOWN_CANCEL_FAILURE_REASON'
          : order === undefined
            ? 'UNKNOWN_CANCEL_ORDER'
            : 'INVALID_CANCEL_REQUEST',
        order_id: id,
      }
    }),
  }),
  'GET orders/historical/batch': ({ book, query }) => {
    const listed = listOf(book, query)
    return { orders: listed.page.map(printOrder), sequence: '0', ...listed.rest }
  },
  'GET orders/historical/fills': ({ book, query }) => {
    const listed = listOf(book, query)
    const fills = listed.page.flatMap((order) =>
      order.executions.map((trade) => printFill(order, trade)),
    )
    return { fills: fills.toReversed(), cursor: listed.rest.cursor }
  },
  'GET orders/historical': ({ book, path }) => {
    const order = book.orders.find(({ txid }) => path.endsWith(`/${txid}`))
    if (order === undefined) throw new Refused('NOT_FOUND', 'order with this orderID was not found')
    return { order: printOrder(order) }
  },
  'GET accounts': accountsOf,
  'GET v2/accounts': walletsOf,
  'GET products': ({ state, query }) => productsOf(state, query),
  'GET transaction_summary': transactionSummary,
  'GET key_permissions': () => ({
    can_view: true,
    can_trade: true,
    can_transfer: false,
    portfolio_uuid: uuidOf('portfolio'),
    portfolio_type: 'DEFAULT',
  }),
}

export function coinbaseAccount({ state, book, request }: AccountAsked): unknown {
  const { path, query, body } = request
  return CALLS[request.name]?.({ state, book, path, query, body: parse(body) })
}

function parse(body: string): Body {
  try {
    return body === '' ? {} : (JSON.parse(body) as Body)
  } catch {
    throw new Refused('INVALID_ARGUMENT', 'the body is not JSON')
  }
}

function orRefused(wanted: Wanted, work: (wanted: Wanted) => object): object {
  try {
    return work(wanted)
  } catch (error) {
    if (error instanceof OrderRefused)
      return orderRefusal(error.message, wanted.order_configuration)
    throw error
  }
}

const MOST_LISTED = 1_000
const WORDS: Readonly<Record<Order['status'], string>> = {
  open: 'OPEN',
  closed: 'FILLED',
  canceled: 'CANCELLED',
  expired: 'EXPIRED',
}

/**
 * Newest first. There is no filter by our own id; the cursor is the number of the last order of a
 * page.
 */
function listOf(book: Book, query: URLSearchParams) {
  const products = [...query.getAll('product_id'), ...query.getAll('product_ids')]
  const [ids, statuses] = [query.getAll('order_id'), query.getAll('order_status')]
  const isWithin = ({ openedMs }: Order) =>
    openedMs >= Date.parse(query.get('start_date') ?? '1970-01-01T00:00:00Z') &&
    openedMs < Date.parse(query.get('end_date') ?? '9999-01-01T00:00:00Z')
  const found = book.orders
    .map((order, index) => ({ order, number: index + 1 }))
    .filter(
      ({ order, number }) =>
        (products.length === 0 || products.includes(order.market.id)) &&
        (ids.length === 0 || ids.includes(order.txid)) &&
        (statuses.length === 0 || statuses.includes(WORDS[order.status])) &&
        isWithin(order) &&
        number < Number(query.get('cursor') || Number.POSITIVE_INFINITY),
    )
    .toReversed()
  const page = found.slice(0, Math.min(MOST_LISTED, Number(query.get('limit') ?? MOST_LISTED)))
  const hasNext = page.length < found.length
  const cursor = hasNext ? String(page.at(-1)?.number ?? '') : ''
  return { page: page.map(({ order }) => order), rest: { has_next: hasNext, cursor } }
}

function transactionSummary({ state, book }: Asked): unknown {
  const [market] = state.markets.values()
  const rate = market === undefined ? '0' : short(rateOf(market))
  const fees = book.orders.reduce((sum, order) => sum + (feesOf(order).get(state.money) ?? 0n), 0n)
  return {
    total_volume: 9.995989116664404,
    total_fees: Number(short(fees)),
    fee_tier: {
      pricing_tier: 'Advanced 3',
      usd_from: '10000',
      usd_to: '50000',
      taker_fee_rate: rate,
      maker_fee_rate: rate,
      aop_from: '',
      aop_to: '',
    },
    margin_rate: null,
    goods_and_services_tax: null,
    advanced_trade_only_volume: 9.995989116664404,
    advanced_trade_only_fees: Number(short(fees)),
    coinbase_pro_volume: 0,
    coinbase_pro_fees: 0,
    total_balance: '',
    has_promo_fee: false,
  }
}
