import { afterEach, expect, test } from 'vitest'
import type { ExchangeName } from './exchange-state.ts'
import { openAccount, type Account } from './orders/account.ts'

let account: Account
afterEach(() => account.close())

/** The names and types of an answer: a list by its first element, a null as itself. */
function shapeOf(value: unknown): unknown {
  if (value === null) return 'null'
  if (Array.isArray(value)) return value.length === 0 ? [] : [shapeOf(value[0])]
  if (typeof value !== 'object') return typeof value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shapeOf(each)]))
}

const all = (type: unknown, names: string): Record<string, unknown> =>
  Object.fromEntries(names.split(' ').map((name) => [name, type]))
const strings = (names: string) => all('string', names)
const numbers = (names: string) => all('number', names)
const flags = (names: string) => all('boolean', names)

/** Recorded at Binance, with the numbers of its documentation. */
const BINANCE_ORDER = {
  ...strings('symbol clientOrderId price origQty executedQty cummulativeQuoteQty status'),
  ...strings('timeInForce type side stopPrice icebergQty origQuoteOrderQty'),
  ...strings('selfTradePreventionMode'),
  ...numbers('orderId orderListId time updateTime workingTime'),
  ...flags('isWorking'),
}
const BINANCE_PLACED = {
  ...strings('symbol clientOrderId price origQty executedQty origQuoteOrderQty status side'),
  ...strings('cummulativeQuoteQty timeInForce type selfTradePreventionMode'),
  ...numbers('orderId orderListId transactTime workingTime'),
  fills: [{ ...strings('price qty commission commissionAsset'), ...numbers('tradeId') }],
}
const BINANCE_TRADE = {
  ...strings('symbol price qty quoteQty commission commissionAsset'),
  ...numbers('id orderId orderListId time'),
  ...flags('isBuyer isMaker isBestMatch'),
}
const BINANCE_TICKER = {
  ...strings('symbol priceChange priceChangePercent weightedAvgPrice prevClosePrice lastPrice'),
  ...strings('lastQty bidPrice bidQty askPrice askQty openPrice highPrice lowPrice volume'),
  ...strings('quoteVolume'),
  ...numbers('openTime closeTime firstId lastId count'),
}
const RATES = strings('maker taker buyer seller')
const BINANCE_ACCOUNT = {
  ...numbers('makerCommission takerCommission buyerCommission sellerCommission updateTime uid'),
  commissionRates: RATES,
  ...flags('canTrade canWithdraw canDeposit brokered requireSelfTradePrevention preventSor'),
  ...strings('accountType'),
  balances: [strings('asset free locked')],
  permissions: ['string'],
}
const BINANCE_COMMISSION = {
  ...strings('symbol'),
  ...all(RATES, 'standardCommission specialCommission taxCommission'),
  discount: {
    ...flags('enabledForAccount enabledForSymbol'),
    ...strings('discountAsset discount'),
  },
}
const BINANCE_KEY = {
  ...numbers('createTime'),
  ...flags('ipRestrict enableReading enableWithdrawals enableInternalTransfer enableMargin'),
  ...flags('enableFutures permitsUniversalTransfer enableVanillaOptions enableFixApiTrade'),
  ...flags('enableFixReadOnly enableSpotAndMarginTrading enablePortfolioMarginTrading'),
}
const BINANCE_INFO = {
  ...strings('timezone'),
  ...numbers('serverTime'),
  rateLimits: [{ ...strings('rateLimitType interval'), ...numbers('intervalNum limit') }],
  exchangeFilters: [],
  symbols: [
    {
      ...strings('symbol status baseAsset quoteAsset defaultSelfTradePreventionMode'),
      ...numbers('baseAssetPrecision quotePrecision quoteAssetPrecision'),
      ...numbers('baseCommissionPrecision quoteCommissionPrecision'),
      ...flags('icebergAllowed ocoAllowed otoAllowed opoAllowed quoteOrderQtyMarketAllowed'),
      ...flags('allowTrailingStop cancelReplaceAllowed amendAllowed pegInstructionsAllowed'),
      ...flags('isSpotTradingAllowed isMarginTradingAllowed'),
      ...all(['string'], 'orderTypes allowedSelfTradePreventionModes'),
      filters: [strings('filterType minPrice maxPrice tickSize')],
      permissions: [],
      permissionSets: [['string']],
    },
  ],
}

/** Recorded at Coinbase. */
const COINBASE_ORDER = {
  ...strings('order_id product_id user_id side client_order_id status time_in_force created_time'),
  order_configuration: { sor_limit_ioc: strings('base_size limit_price') },
  ...strings('completion_percentage filled_size average_filled_price fee number_of_fills'),
  ...strings('filled_value total_fees total_value_after_fees trigger_status order_type'),
  ...strings('reject_reason product_type reject_message cancel_message order_placement_source'),
  ...strings('outstanding_hold_amount last_fill_time leverage margin_type'),
  ...flags('pending_cancel size_in_quote size_inclusive_of_fees settled is_liquidation'),
  edit_history: [],
}
const COINBASE_FILL = {
  ...strings('entry_id trade_id order_id trade_time trade_type price size commission product_id'),
  ...strings('sequence_timestamp liquidity_indicator user_id side'),
  ...flags('size_in_quote'),
}
const MONEY = strings('value currency')
const COINBASE_ACCOUNTS = {
  accounts: [
    {
      ...strings('uuid name currency created_at updated_at type retail_portfolio_id'),
      ...all(MONEY, 'available_balance hold'),
      ...flags('default active ready'),
      deleted_at: 'null',
    },
  ],
  ...flags('has_next'),
  ...strings('cursor'),
  ...numbers('size'),
}
const COINBASE_WALLETS = {
  data: [
    {
      ...strings('id name type created_at updated_at resource resource_path'),
      ...flags('primary allow_deposits allow_withdrawals'),
      balance: strings('amount currency'),
      currency: {
        ...strings('asset_id code color name slug type'),
        ...numbers('exponent'),
        rewards: 'null',
      },
    },
  ],
  pagination: {
    ...all('null', 'ending_before next_starting_after next_uri previous_ending_before'),
    ...all('null', 'previous_uri starting_after'),
    ...numbers('limit'),
    ...strings('order'),
  },
}
const COINBASE_PRODUCTS = {
  products: [
    {
      ...strings('product_id price price_percentage_change_24h volume_24h base_increment'),
      ...strings('volume_percentage_change_24h quote_increment quote_min_size quote_max_size'),
      ...strings('base_min_size base_max_size base_name quote_name status product_type'),
      ...strings('quote_currency_id base_currency_id mid_market_price alias price_increment'),
      ...strings('base_display_symbol quote_display_symbol display_name product_venue new_at'),
      ...strings('approximate_quote_24h_volume'),
      ...flags('watched is_disabled new cancel_only limit_only post_only trading_disabled'),
      ...flags('auction_mode view_only'),
      fcm_trading_session_details: 'null',
      alias_to: [],
    },
  ],
  ...numbers('num_products'),
}
const COINBASE_TICKER = {
  trades: [strings('trade_id product_id price size time side bid ask')],
  ...strings('best_bid best_ask'),
}

type Recorded = [name: ExchangeName, call: string, params: Record<string, unknown>, shape: unknown]
const SYMBOL = { symbol: 'BTCUSDT' }
const IOC = { base_size: '0.01', limit_price: '60000' }
const RECORDED: readonly Recorded[] = [
  ['binance', 'public GET time', {}, numbers('serverTime')],
  ['binance', 'public GET exchangeInfo', {}, BINANCE_INFO],
  ['binance', 'public GET ticker/24hr', SYMBOL, BINANCE_TICKER],
  ['binance', 'private GET allOrders', SYMBOL, [BINANCE_ORDER]],
  ['binance', 'private GET order', { ...SYMBOL, orderId: '9780331418' }, BINANCE_ORDER],
  ['binance', 'private GET myTrades', SYMBOL, [BINANCE_TRADE]],
  ['binance', 'private GET account', {}, BINANCE_ACCOUNT],
  ['binance', 'private GET account/commission', SYMBOL, BINANCE_COMMISSION],
  ['binance', 'sapi GET bnbBurn', {}, flags('spotBNBBurn interestBNBBurn')],
  ['binance', 'sapi GET account/apiRestrictions', {}, BINANCE_KEY],
  [
    'binance',
    'private POST order',
    { ...SYMBOL, side: 'SELL', type: 'MARKET', quantity: '0.001' },
    BINANCE_PLACED,
  ],
  [
    'binance',
    'private POST order/test',
    { ...SYMBOL, side: 'SELL', type: 'MARKET', quantity: '0.001' },
    {},
  ],
  ['coinbase', 'v2.public GET time', {}, { data: { ...strings('iso'), ...numbers('epoch') } }],
  ['coinbase', 'v3.public GET brokerage/time', {}, strings('iso epochSeconds epochMillis')],
  ['coinbase', 'v3.public GET brokerage/market/products', {}, COINBASE_PRODUCTS],
  ['coinbase', 'v3.public GET brokerage/market/products/BTC-USD/ticker', {}, COINBASE_TICKER],
  [
    'coinbase',
    'v3.private GET brokerage/orders/historical/batch',
    {},
    { orders: [COINBASE_ORDER], ...strings('sequence cursor'), ...flags('has_next') },
  ],
  [
    'coinbase',
    'v3.private GET brokerage/orders/historical/fills',
    {},
    { fills: [COINBASE_FILL], ...strings('cursor') },
  ],
  ['coinbase', 'v3.private GET brokerage/accounts', {}, COINBASE_ACCOUNTS],
  ['coinbase', 'v2.private GET accounts', {}, COINBASE_WALLETS],
  [
    'coinbase',
    'v3.private POST brokerage/orders',
    {
      client_order_id: 'a0f970a2-05fa-4e1f-9517-f6702c33cfd1',
      product_id: 'BTC-USD',
      side: 'BUY',
      order_configuration: { sor_limit_ioc: IOC },
    },
    {
      ...flags('success'),
      success_response: strings('order_id product_id side client_order_id attached_order_id'),
      order_configuration: { sor_limit_ioc: strings('base_size limit_price') },
    },
  ],
]

test.each(RECORDED)(
  '%s %s returns the recorded names and types',
  async (name, call, params, shape) => {
    account = await openAccount({ name })
    const { client, place } = account
    await place({ type: 'limit', price: 60_000, params: { timeInForce: 'IOC' } })
    const [api = '', method = '', path = ''] = call.split(' ')
    const way = api.includes('.') ? api.split('.') : api
    const answer: unknown = await client.request(path, way, method, params)
    expect(shapeOf(answer)).toEqual(shape)
  },
)
