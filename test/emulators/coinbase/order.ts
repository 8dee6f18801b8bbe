import type { ExchangeMarket, ExchangeState, MarketStatus } from '../exchange-state.ts'
import type { Book, Order, OrderRequest, PlaceRefusal } from '../orders/book.ts'
import { fits, parseParts, partsOf, times, type Parts } from '../orders/decimals.ts'

/** The reason of a refused order, in Coinbase's word. */
export class OrderRefused extends Error {}

export type Wanted = {
  client_order_id?: string
  product_id?: string
  side?: string
  order_configuration?: Record<string, Record<string, unknown>>
}

type Placing = { state: ExchangeState; book: Book; wanted: Wanted; isValidation: boolean }

/** Checks an order and places it; an id that was sent before returns the first order. */
export function placeOrder({ state, book, wanted, isValidation }: Placing): Order {
  const first = book.orders.find(({ clientOrderId }) => clientOrderId === wanted.client_order_id)
  if (first !== undefined && !isValidation) return first
  const request = readOrder(state, wanted)
  checkStatus(request)
  checkSizes(request)
  const order = book.place(request, { isValidation })
  if (typeof order === 'string') throw new OrderRefused(REFUSALS[order])
  return order
}

const REFUSALS: Record<PlaceRefusal, string> = {
  'post-only': 'INVALID_LIMIT_PRICE_POST_ONLY',
  'insufficient-funds': 'PREVIEW_INSUFFICIENT_FUND',
}

function readOrder(
  state: ExchangeState,
  { client_order_id: clientOrderId, product_id: id = '', side, order_configuration }: Wanted,
): OrderRequest {
  const market = state.markets.get(id)
  if (market === undefined) throw new OrderRefused('INVALID_PRODUCT_ID')
  if (side !== 'BUY' && side !== 'SELL') throw new OrderRefused('INVALID_SIDE')
  const [[kind = '', sizes = {}] = []] = Object.entries(order_configuration ?? {})
  const type = kind === 'market_market_ioc' ? 'market' : 'limit'
  return {
    market,
    side: side === 'BUY' ? 'buy' : 'sell',
    type,
    ...readTime(kind, { sizes, nowMs: state.clock.nowMs() }),
    ...readSizes({ market, sizes, type }),
    isPostOnly: sizes['post_only'] === true,
    clientOrderId,
  }
}

/** Fill-or-kill orders, stop orders and orders sized in money are not emulated. */
function readTime(
  kind: string,
  { sizes, nowMs }: { sizes: Record<string, unknown>; nowMs: number },
): Pick<OrderRequest, 'timeInForce' | 'expiresMs'> {
  if (kind === 'market_market_ioc' || kind === 'sor_limit_ioc')
    return { timeInForce: 'IOC', expiresMs: undefined }
  if (kind === 'limit_limit_gtc') return { timeInForce: 'GTC', expiresMs: undefined }
  if (kind !== 'limit_limit_gtd') throw new OrderRefused('UNSUPPORTED_ORDER_CONFIGURATION')
  const expiresMs = Date.parse(String(sizes['end_time']))
  if (!(expiresMs > nowMs)) throw new OrderRefused('PREVIEW_INVALID_END_TIME')
  return { timeInForce: 'GTD', expiresMs }
}

function readSizes({
  market,
  sizes,
  type,
}: {
  market: ExchangeMarket
  sizes: Record<string, unknown>
  type: 'market' | 'limit'
}): { volume: Parts; limit: Parts | undefined } {
  if (sizes['quote_size'] !== undefined) throw new OrderRefused('UNSUPPORTED_ORDER_CONFIGURATION')
  const volume = parseParts(String(sizes['base_size']))
  if (volume === undefined || !fits(volume, market.lotDecimals))
    throw new OrderRefused('INVALID_SIZE_PRECISION')
  if (type === 'market') return { volume, limit: undefined }
  const limit = parseParts(String(sizes['limit_price']))
  if (limit === undefined || !fits(limit, market.priceDecimals))
    throw new OrderRefused('PREVIEW_INVALID_PRICE_PRECISION')
  if (limit === 0n) throw new OrderRefused('PREVIEW_INVALID_LIMIT_PRICE')
  return { volume, limit }
}

function checkStatus({ market: { status }, type, isPostOnly }: OrderRequest): void {
  const byMode: Partial<Record<MarketStatus, string | undefined>> = {
    online: undefined,
    cancel_only: 'ORDER_ENTRY_DISABLED',
    limit_only: type === 'limit' ? undefined : 'PREVIEW_NOT_ALLOWED_BY_MARKET_STATE',
    post_only: isPostOnly ? undefined : 'PREVIEW_NOT_ALLOWED_BY_MARKET_STATE',
    auction_mode: 'PREVIEW_NOT_ALLOWED_BY_MARKET_STATE',
    view_only: 'UNTRADABLE_PRODUCT',
  }
  const refused = status in byMode ? byMode[status] : 'TRADING_DISABLED'
  if (refused !== undefined) throw new OrderRefused(refused)
}

function checkSizes({ market, volume, limit }: OrderRequest): void {
  if (volume < partsOf(market.minimumLot))
    throw new OrderRefused('PREVIEW_INVALID_BASE_SIZE_TOO_SMALL')
  const cost = times({ of: volume, by: limit ?? partsOf(market.lastPrice), places: 10 })
  if (cost < partsOf(market.minimumCost))
    throw new OrderRefused('PREVIEW_INVALID_QUOTE_SIZE_TOO_SMALL')
}
