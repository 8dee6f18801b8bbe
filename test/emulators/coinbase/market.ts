import { HOUR_MS } from '#core/market/candle.ts'
import { candlesFrom } from '../exchange-candles.ts'
import type { MarketAsked } from '../exchange-dialect.ts'
import type { ExchangeMarket, ExchangeState } from '../exchange-state.ts'
import { parseParts } from '../orders/decimals.ts'
import { Refused, short } from './answer.ts'

/** Coinbase's public calls. */
export function coinbaseMarket({ state, candles, request }: MarketAsked): unknown {
  const { name, path, query } = request
  const nowMs = state.clock.nowMs()
  const [epoch, iso] = [Math.floor(nowMs / 1_000), `${new Date(nowMs).toISOString().slice(0, 19)}Z`]
  if (name === 'GET v2/time') return { data: { iso, epoch } }
  if (name === 'GET time')
    return { iso, epochSeconds: String(epoch), epochMillis: String(Math.floor(nowMs)) }
  if (name === 'GET market/products') return productsOf(state, query)
  if (name === 'GET market/products/candles') return candlesOf({ state, candles, path, query })
  if (name === 'GET market/products/ticker') return tickerOf(state, path)
  if (name === 'GET market/product') return describe(productAt(state, path))
  return undefined
}

/** Only spot; a list of ids leaves out those that are unknown. */
export function productsOf(state: ExchangeState, query: URLSearchParams): unknown {
  const ids = query.getAll('product_ids')
  const isSpot = (query.get('product_type') ?? 'SPOT') === 'SPOT'
  const products = [...state.markets.values()]
    .filter(({ id }) => isSpot && (ids.length === 0 || ids.includes(id)))
    .map(describe)
  return { products, num_products: products.length }
}

function productAt({ markets }: ExchangeState, path: string): ExchangeMarket {
  const [, id = ''] = /\/products\/([^/]+)/.exec(path) ?? []
  const market = markets.get(id)
  if (market === undefined) throw new Refused('NOT_FOUND', 'product not found')
  return market
}

const MOST_CANDLES = 350

/** Newest first. The bounds are in seconds and inclusive. */
function candlesOf({
  state,
  candles,
  path,
  query,
}: Pick<MarketAsked, 'state' | 'candles'> & { path: string; query: URLSearchParams }): unknown {
  const market = productAt(state, path)
  if (query.get('granularity') !== 'ONE_HOUR')
    throw new Refused('INVALID_ARGUMENT', 'granularity must be ONE_HOUR here')
  const [start, end] = [query.get('start'), query.get('end')].map((each) => Number(each) * 1_000)
  if (!(start !== undefined && end !== undefined && start > 0 && end >= start))
    throw new Refused('INVALID_ARGUMENT', 'start and end must be specified')
  if ((end - start) / HOUR_MS > MOST_CANDLES)
    throw new Refused(
      'INVALID_ARGUMENT',
      `number of candles requested should be less than ${MOST_CANDLES}`,
    )
  const untilMs = Math.min(end, state.clock.nowMs())
  const found = candles(candlesFrom(market, { fromMs: start, untilMs, most: MOST_CANDLES }), market)
  return {
    candles: found.toReversed().map(({ openTimeMs, open, high, low, close }) => ({
      start: String(openTimeMs / 1_000),
      low,
      high,
      open,
      close,
      volume: '1.5',
    })),
  }
}

function tickerOf(state: ExchangeState, path: string): unknown {
  const market = productAt(state, path)
  const last = market.lastPrice
  const time = new Date(state.clock.nowMs()).toISOString()
  const trade = { trade_id: '635541194', product_id: market.id, price: last, size: '0.03720194' }
  return {
    trades: [{ ...trade, time, side: 'BUY', bid: '', ask: '' }],
    best_bid: last,
    best_ask: last,
  }
}

function describe(market: ExchangeMarket): Record<string, unknown> {
  const { id, base, quote, status } = market
  const [lot, tick] = [market.lotDecimals, market.priceDecimals].map((places) =>
    (10 ** -places).toFixed(places),
  )
  const isGone = status === 'delisted'
  return {
    product_id: id,
    price: short(parseParts(market.lastPrice) ?? 0n),
    price_percentage_change_24h: '-0.31484054621308',
    volume_24h: '9035.28731773',
    volume_percentage_change_24h: '7.92405208061416',
    base_increment: lot,
    quote_increment: tick,
    quote_min_size: market.minimumCost,
    quote_max_size: '150000000',
    base_min_size: market.minimumLot,
    base_max_size: '3400',
    base_name: base,
    quote_name: 'US Dollar',
    watched: false,
    is_disabled: isGone,
    new: false,
    status: isGone ? 'delisted' : 'online',
    cancel_only: status === 'cancel_only',
    limit_only: status === 'limit_only',
    post_only: status === 'post_only',
    trading_disabled: isGone || status === 'trading_disabled',
    auction_mode: status === 'auction_mode',
    product_type: 'SPOT',
    quote_currency_id: quote,
    base_currency_id: base,
    fcm_trading_session_details: null,
    mid_market_price: '',
    alias: '',
    alias_to: [],
    base_display_symbol: base,
    quote_display_symbol: quote,
    view_only: status === 'view_only',
    price_increment: tick,
    display_name: id,
    product_venue: 'CBE',
    approximate_quote_24h_volume: '934782784.49',
    new_at: '2023-01-01T00:00:00Z',
  }
}
