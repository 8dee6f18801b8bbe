import { HOUR_MS } from '#core/market/candle.ts'
import { candlesFrom } from '../exchange-candles.ts'
import type { MarketAsked } from '../exchange-dialect.ts'
import type { ExchangeMarket, ExchangeState } from '../exchange-state.ts'
import { eight, mandatory, Refused } from './answer.ts'
import { partsOf } from '../orders/decimals.ts'

/** Binance's public calls. */
export function binanceMarket({ state, candles, request }: MarketAsked): unknown {
  const { name, query } = request
  if (name === 'GET ping') return {}
  if (name === 'GET time') return { serverTime: Math.floor(state.clock.nowMs()) }
  if (name === 'GET exchangeInfo') return exchangeInfo(state, query)
  if (name === 'GET ticker/24hr') {
    const tickers = marketsOf(state, query).map((market) => tickerOf(market, state.clock.nowMs()))
    return query.has('symbol') ? tickers[0] : tickers
  }
  if (name === 'GET klines') return klines({ state, candles, query })
  return undefined
}

export function marketOf(state: ExchangeState, symbol: string): ExchangeMarket {
  const market = state.markets.get(symbol)
  if (market === undefined) throw new Refused(-1121)
  return market
}

function marketsOf(state: ExchangeState, query: URLSearchParams): ExchangeMarket[] {
  const [symbol, symbols] = [query.get('symbol'), query.get('symbols')]
  if (symbol !== null) return [marketOf(state, symbol)]
  if (symbols === null) return [...state.markets.values()]
  return (JSON.parse(symbols) as string[]).map((each) => marketOf(state, each))
}

function tickerOf({ id, lastPrice }: ExchangeMarket, nowMs: number): Record<string, unknown> {
  const last = eight(partsOf(lastPrice))
  const closeTime = Math.floor(nowMs)
  return {
    symbol: id,
    priceChange: '0.00000000',
    priceChangePercent: '0.000',
    weightedAvgPrice: last,
    prevClosePrice: last,
    lastPrice: last,
    lastQty: '0.23925000',
    bidPrice: last,
    bidQty: '6.27086000',
    askPrice: last,
    askQty: '0.03321000',
    openPrice: last,
    highPrice: last,
    lowPrice: last,
    volume: '72140.34862800',
    quoteVolume: '5167027510.68728707',
    openTime: closeTime - 24 * HOUR_MS,
    closeTime,
    firstId: 3_476_288_989,
    lastId: 3_479_476_926,
    count: 3_187_938,
  }
}

const MOST_KLINES = 1_000

/** Candles from `startTime` on, or the latest; the unfinished one among them. */
function klines({
  state,
  candles,
  query,
}: Pick<MarketAsked, 'state' | 'candles'> & { query: URLSearchParams }): unknown {
  const market = marketOf(state, mandatory(query, 'symbol'))
  if (mandatory(query, 'interval') !== '1h') throw new Refused(-1120)
  const limit = Math.min(MOST_KLINES, Number(query.get('limit') ?? 500))
  const nowMs = state.clock.nowMs()
  const untilMs = Math.min(nowMs, Number(query.get('endTime') ?? nowMs))
  const fromMs = Number(query.get('startTime') ?? untilMs - limit * HOUR_MS)
  const found = candlesFrom(market, { fromMs, untilMs, most: limit })
  return candles(found, market).map(({ openTimeMs, open, high, low, close }) => [
    openTimeMs,
    ...[open, high, low, close].map((price) => eight(partsOf(price))),
    '148976.11427815',
    openTimeMs + HOUR_MS - 1,
    '2434.19055334',
    308,
    '1756.87402397',
    '28.46694368',
    '0',
  ])
}

function exchangeInfo(state: ExchangeState, query: URLSearchParams): unknown {
  return {
    timezone: 'UTC',
    serverTime: Math.floor(state.clock.nowMs()),
    rateLimits: [
      { rateLimitType: 'REQUEST_WEIGHT', interval: 'MINUTE', intervalNum: 1, limit: 6_000 },
      { rateLimitType: 'ORDERS', interval: 'SECOND', intervalNum: 10, limit: 100 },
      { rateLimitType: 'ORDERS', interval: 'DAY', intervalNum: 1, limit: 200_000 },
      { rateLimitType: 'RAW_REQUESTS', interval: 'MINUTE', intervalNum: 5, limit: 61_000 },
    ],
    exchangeFilters: [],
    symbols: marketsOf(state, query).map(describe),
  }
}

function describe(market: ExchangeMarket): Record<string, unknown> {
  return {
    symbol: market.id,
    status: market.status === 'online' ? 'TRADING' : market.status,
    baseAsset: market.base,
    baseAssetPrecision: 8,
    quoteAsset: market.quote,
    quotePrecision: 8,
    quoteAssetPrecision: 8,
    baseCommissionPrecision: 8,
    quoteCommissionPrecision: 8,
    orderTypes: ['LIMIT', 'LIMIT_MAKER', 'MARKET', 'STOP_LOSS_LIMIT', 'TAKE_PROFIT_LIMIT'],
    icebergAllowed: true,
    ocoAllowed: true,
    otoAllowed: true,
    opoAllowed: true,
    quoteOrderQtyMarketAllowed: true,
    allowTrailingStop: true,
    cancelReplaceAllowed: true,
    amendAllowed: false,
    pegInstructionsAllowed: true,
    isSpotTradingAllowed: true,
    isMarginTradingAllowed: true,
    filters: filtersOf(market),
    permissions: [],
    permissionSets: [['SPOT', 'MARGIN', 'TRD_GRP_004']],
    defaultSelfTradePreventionMode: 'EXPIRE_MAKER',
    allowedSelfTradePreventionModes: ['EXPIRE_TAKER', 'EXPIRE_MAKER', 'EXPIRE_BOTH'],
  }
}

/** The values of BTCUSDT but for the steps: the others' limits differ. */
function filtersOf({ priceDecimals, lotDecimals, minimumCost }: ExchangeMarket): unknown[] {
  const [tick, step] = [priceDecimals, lotDecimals].map((places) => (10 ** -places).toFixed(8))
  return [
    {
      filterType: 'PRICE_FILTER',
      minPrice: tick,
      maxPrice: '1000000.00000000',
      tickSize: tick,
    },
    { filterType: 'LOT_SIZE', minQty: step, maxQty: '900000.00000000', stepSize: step },
    { filterType: 'ICEBERG_PARTS', limit: 10 },
    {
      filterType: 'MARKET_LOT_SIZE',
      minQty: '0.00000000',
      maxQty: '3734056.71171548',
      stepSize: '0.00000000',
    },
    {
      filterType: 'TRAILING_DELTA',
      minTrailingAboveDelta: 10,
      maxTrailingAboveDelta: 2_000,
      minTrailingBelowDelta: 10,
      maxTrailingBelowDelta: 2_000,
    },
    {
      filterType: 'PERCENT_PRICE_BY_SIDE',
      bidMultiplierUp: '5',
      bidMultiplierDown: '0.2',
      askMultiplierUp: '5',
      askMultiplierDown: '0.2',
      avgPriceMins: 5,
    },
    {
      filterType: 'NOTIONAL',
      minNotional: minimumCost,
      applyMinToMarket: true,
      maxNotional: '9000000.00000000',
      applyMaxToMarket: false,
      avgPriceMins: 5,
    },
    { filterType: 'MAX_NUM_ORDERS', maxNumOrders: 200 },
    { filterType: 'MAX_NUM_ALGO_ORDERS', maxNumAlgoOrders: 5 },
  ]
}
