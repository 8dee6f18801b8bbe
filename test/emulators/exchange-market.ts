import type { ExchangeSide, RestAnswer, RestRequest } from './exchange.ts'
import type { ExchangeMarket, ExchangeState } from './exchange-state.ts'

/** Prices and candles of the exchange, as anybody may ask for them. */
export type MarketSide = ExchangeSide & {
  /** New websockets are turned away. */
  refusesSockets: () => boolean
}

export function marketSide(state: ExchangeState): MarketSide {
  return {
    rest: (request) => (request.access === 'public' ? answer(state, request) : undefined),
    refusesSockets: () => false,
  }
}

function answer(state: ExchangeState, { name }: RestRequest): RestAnswer | undefined {
  const nowMs = state.clock.nowMs()
  if (name === 'Time') return { result: { unixtime: Math.floor(nowMs / 1_000), rfc1123: new Date(nowMs).toUTCString() } }
  if (name === 'SystemStatus') return { result: { status: 'online', timestamp: new Date(nowMs).toISOString() } }
  if (name === 'AssetPairs') return { result: Object.fromEntries([...state.markets].map(([id, market]) => [id, describe(market)])) }
  if (name === 'Assets') return { result: assetsOf(state) }
  return undefined
}

function assetsOf(state: ExchangeState): Record<string, unknown> {
  const named = [...state.markets.values()].map(({ base, wsname }) => [base, wsname.split('/')[0]] as const)
  const assets = [...named, ['ZUSD', 'USD'] as const]
  return Object.fromEntries(
    assets.map(([id, altname]) => [id, { aclass: 'currency', altname, decimals: id === 'ZUSD' ? 4 : 10, display_decimals: 5, status: 'enabled' }]),
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
