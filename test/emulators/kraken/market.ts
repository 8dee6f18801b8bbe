import { latestCandles } from '../exchange-candles.ts'
import type { MarketAsked } from '../exchange-dialect.ts'
import type { ExchangeMarket, ExchangeState } from '../exchange-state.ts'
import type { KrakenAnswer } from './answer.ts'

/** Kraken's public calls. */
export function krakenMarket({
  state,
  candles,
  request: { name, query },
}: MarketAsked): KrakenAnswer | undefined {
  const nowMs = state.clock.nowMs()
  if (name === 'Time')
    return {
      result: { unixtime: Math.floor(nowMs / 1_000), rfc1123: new Date(nowMs).toUTCString() },
    }
  if (name === 'SystemStatus')
    return { result: { status: 'online', timestamp: new Date(nowMs).toISOString() } }
  if (name === 'AssetPairs')
    return {
      result: Object.fromEntries([...state.markets].map(([id, market]) => [id, describe(market)])),
    }
  if (name === 'Assets') return { result: assetsOf(state) }
  if (name === 'Ticker') return answerTicker(state, query)
  if (name === 'OHLC') return answerCandles(state, { candles, query })
  return undefined
}

const UNKNOWN_PAIR: KrakenAnswer = { error: ['EQuery:Unknown asset pair'] }

function answerTicker(state: ExchangeState, query: URLSearchParams): KrakenAnswer {
  const ids = query.get('pair')?.split(',') ?? [...state.markets.keys()]
  const markets = ids.flatMap((id) => state.markets.get(id) ?? [])
  const error = ids.filter((id) => !state.markets.has(id)).flatMap(() => UNKNOWN_PAIR.error ?? [])
  const tickers = markets.map((market) => [market.id, tickerOf(market)] as const)
  return { error, result: Object.fromEntries(tickers) }
}

/** Kraken prints tickers with at least five decimals, whatever the market's own precision. */
const TICKER_DECIMALS = 5

function tickerOf({ lastPrice, priceDecimals }: ExchangeMarket): Record<string, unknown> {
  const last = Number(lastPrice).toFixed(Math.max(TICKER_DECIMALS, priceDecimals))
  return {
    a: [last, '1', '1.000'],
    b: [last, '1', '1.000'],
    c: [last, '0.00160710'],
    v: ['165.16072288', '598.03698452'],
    p: [last, last],
    t: [6_405, 21_103],
    l: [last, last],
    h: [last, last],
    o: last,
  }
}

/** The candles after `since`, and always the running one. */
function answerCandles(
  state: ExchangeState,
  { candles: change, query }: { candles: MarketAsked['candles']; query: URLSearchParams },
): KrakenAnswer {
  const market = state.markets.get(query.get('pair') ?? '')
  if (!market) return UNKNOWN_PAIR
  if (query.get('interval') !== '60') return { error: ['EGeneral:Invalid arguments'] }
  const sinceMs = Number(query.get('since') ?? 0) * 1_000
  const candles = change(
    latestCandles(state, market).filter(({ openTimeMs }) => openTimeMs > sinceMs),
    market,
  )
  const rows = candles.map(({ openTimeMs, open, high, low, close }) => [
    openTimeMs / 1_000,
    open,
    high,
    low,
    close,
    close,
    '1.50000000',
    3,
  ])
  return { result: { [market.id]: rows, last: (candles.at(-2)?.openTimeMs ?? sinceMs) / 1_000 } }
}

function assetsOf(state: ExchangeState): Record<string, unknown> {
  const named = [...state.markets.values()].map(
    ({ base, wsname }) => [base, wsname.split('/')[0]] as const,
  )
  const assets = [...named, ['ZUSD', 'USD'] as const]
  return Object.fromEntries(
    assets.map(([id, altname]) => [
      id,
      {
        aclass: 'currency',
        altname,
        decimals: id === 'ZUSD' ? 4 : 10,
        display_decimals: 5,
        status: 'enabled',
      },
    ]),
  )
}

function describe(market: ExchangeMarket): Record<string, unknown> {
  return {
    altname: market.altname,
    wsname: market.wsname,
    aclass_base: 'currency',
    base: market.base,
    aclass_quote: 'currency',
    quote: market.quote,
    lot: 'unit',
    cost_decimals: 5,
    pair_decimals: market.priceDecimals,
    lot_decimals: market.lotDecimals,
    lot_multiplier: 1,
    leverage_buy: [],
    leverage_sell: [],
    fees: [[0, market.takerFeePercent]],
    fees_maker: [[0, market.takerFeePercent]],
    fee_volume_currency: 'ZUSD',
    margin_call: 80,
    margin_stop: 40,
    ordermin: market.minimumLot,
    costmin: market.minimumCost,
    tick_size: (10 ** -market.priceDecimals).toFixed(market.priceDecimals),
    status: market.status,
  }
}
