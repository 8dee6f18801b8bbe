import type { Exchange } from 'ccxt'
import type { Units } from '#core/money/amount.ts'
import { parseDecimal, unitsToDecimal } from '#core/money/decimal.ts'
import type { Side } from '#core/trading/fill.ts'
import { answerOf, type ExchangeName } from './open-exchange.ts'

/** A JSON object of an exchange's answer. Decimals in it are strings. */
export type Answer = Readonly<Record<string, unknown>>

/** An immediate-or-cancel limit order. `market`: the exchange's own name of the pair. */
export type Placing = {
  id: string
  market: string
  side: Side
  quantity: Units
  limit: Units
  sentAt: Date
  /** Checked by the exchange and not placed. */
  isTest?: boolean
}

/** `fees`: by the exchange's name of the asset, or by 'quote' and 'base'. */
export type Found = {
  /** undefined: a state that the documentation does not list. */
  state: 'open' | 'ended' | undefined
  /** Units of base and of quote; undefined where the exchange gives no readable figure. */
  quantity: Units | undefined
  notional: Units | undefined
  fees: ReadonlyMap<string, Units> | undefined
  cancel: () => Promise<unknown>
}

/** Orders of one exchange as its documentation has them, in the calls of its own interface. */
export type Dialect = {
  /** The exchange refuses an order that arrives later than this after it was signed. */
  deadlineMs: number
  /** How long after the deadline an executed order may still be missing from the lists. */
  listingMs: number
  /** Whether a market takes a limit order now. */
  isOpen: (market: Answer) => boolean
  /** Codes of answers after which nothing was and will be executed. All others are unknown. */
  refusals: ReadonlySet<string>
  /** Codes of an answer to an order, each of which must be a refusal; none if it has no code. */
  codesOf: (status: number, body: Answer) => string[]
  /** Returns our id as the exchange repeats it, where it does. */
  place: (client: Exchange, order: Placing) => Promise<string | undefined>
  look: (client: Exchange, order: Placing) => Promise<Found | undefined>
  readAccount: (client: Exchange) => Promise<AccountAnswer>
}

/**
 * `held`: by the client's names of assets. `faults`: settings under which the two books may drift
 * apart, one sentence each.
 */
type AccountAnswer = { held: Map<string, Units>; faults: string[] }

export const recordOf = (value: unknown): Answer =>
  typeof value === 'object' && value !== null ? (value as Answer) : {}

const listOf = (value: unknown): Answer[] => (Array.isArray(value) ? value.map(recordOf) : [])

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined

/** An exchange's decimal, truncated to eight places; undefined if it is missing or no decimal. */
export function unitsOf(value: unknown): Units | undefined {
  if (value === undefined || value === null) return undefined
  const text = String(value)
  const isScientific = /e/i.test(text)
  return parseDecimal(isScientific ? plainDecimal(text) : text.replace(/(\.\d{8})\d+$/, '$1'))
}

/** '1e-8' as '0.00000001': some exchanges' form of steps. */
function plainDecimal(text: string): string {
  const [, digits = '0', exponent = '0'] = /^(\d+)(?:\.0*)?e-(\d+)$/i.exec(text) ?? []
  return `0.${digits.padStart(Number(exponent), '0')}`.slice(0, 10)
}

/** Rounded up from the ninth place on: some exchanges count finer than the book. */
function ceilOf(value: unknown): Units | undefined {
  const units = unitsOf(value)
  return units !== undefined && /\.\d{8}0*[1-9]/.test(String(value)) ? units + 1n : units
}

/** Prints without trailing zeros, which some exchanges count as precision. */
const printed = (units: Units): string => unitsToDecimal(units, 8).replace(/\.?0+$/, '')

const words = (all: string): string[] => all.split(' ')

/** The first number of `all` that cannot be read makes the sum unknown. */
function sumOf(all: readonly unknown[]): Units | undefined {
  let sum = 0n
  for (const each of all) {
    const units = unitsOf(each)
    if (units === undefined) return undefined
    sum += units
  }
  return sum
}

const KRAKEN: Dialect = {
  deadlineMs: 5_000,
  listingMs: 5_000,
  isOpen: ({ status }) => status === 'online' || status === 'limit_only',
  refusals: new Set([
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
    'EBM:limit exceeded',
    'EGeneral:Invalid arguments',
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
    'EOrder:Margin allowance exceeded',
    'EOrder:Margin level too low',
    'EOrder:Margin position size exceeded',
    'EOrder:Order minimum not met',
    'EOrder:Orders limit exceeded',
    'EOrder:Positions limit exceeded',
    'EOrder:Post only order',
    'EOrder:Rate limit exceeded',
    'EOrder:Reduce only',
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
  ]),
  // The third part of a refusal names the argument and is dropped, except in these two. One means
  // that an open order has the id. The other means that an order was filled until it would have
  // reversed the position.
  codesOf: (_, { error }) =>
    (Array.isArray(error) ? error : []).map((each) =>
      /not unique|Position is closed/.test(String(each)) ? String(each) : shortened(String(each)),
    ),
  place: async (client, { id, market, side, quantity, limit, sentAt, isTest }) => {
    await client.request('AddOrder', 'private', 'POST', {
      pair: market,
      type: side,
      ordertype: 'limit',
      volume: printed(quantity),
      price: printed(limit),
      timeinforce: 'IOC',
      // Otherwise the fee of a sale is taken in coins, beyond those that were sold.
      oflags: 'fciq',
      cl_ord_id: id,
      deadline: new Date(sentAt.getTime() + KRAKEN.deadlineMs).toISOString(),
      ...(isTest === true && { validate: 'true' }),
    })
    return undefined
  },
  look: async (client, { id }) => {
    for (const [path, list] of [
      ['ClosedOrders', 'closed'],
      ['OpenOrders', 'open'],
    ] as const) {
      const answer = recordOf(await client.request(path, 'private', 'POST', { cl_ord_id: id }))
      const found = Object.values(recordOf(recordOf(answer['result'])[list])).map(recordOf)
      const order = found.find(({ cl_ord_id: theirs }) => theirs === id)
      if (order) return krakenOrder(client, order, id)
    }
    return undefined
  },
  readAccount: async (client) => {
    const balances = [...(await krakenBalances(client))]
    // Coins that earn rewards without a term (F) are traded like all others.
    const held = balances.map(
      ([name, units]) =>
        [client.safeCurrencyCode(name.replace(/\.F$/, '')) ?? name, units] as const,
    )
    const key = recordOf(await client.request('GetApiKeyInfo', 'private', 'POST', {}))
    const faults = [
      ...rewardFaults(balances),
      ...(mayOnlyTrade(recordOf(key['result'])['permissions'])
        ? []
        : ['The API key at Kraken may withdraw: make one that may only query and trade']),
    ]
    return { held: sumByName(held), faults }
  },
}

function rewardFaults(balances: readonly (readonly [string, Units])[]): string[] {
  const earning = balances.filter(([name, units]) => /\.[A-Z]$/.test(name) && units > 0n)
  if (earning.length === 0) return []
  return [
    `Kraken pays rewards on ${earning.map(([name]) => name).join(', ')}, so its balances ` +
      "would grow beyond the book's: switch them off at Kraken",
  ]
}

/** No list means that the key's rights are unknown. */
const mayOnlyTrade = (permissions: unknown): boolean =>
  Array.isArray(permissions) && !permissions.some((each) => String(each).includes('withdraw'))

const shortened = (error: string): string => error.split(':').slice(0, 2).join(':')

const KRAKEN_STATES = states({
  open: ['pending', 'open'],
  ended: ['closed', 'canceled', 'expired'],
})

function krakenOrder(client: Exchange, order: Answer, id: string): Found {
  const fee = ceilOf(order['fee'])
  const flags = (textOf(order['oflags']) ?? '').split(',')
  const asset = flags.includes('fciq') ? 'quote' : flags.includes('fcib') ? 'base' : undefined
  return {
    state: KRAKEN_STATES.get(order['status']),
    quantity: unitsOf(order['vol_exec']),
    notional: unitsOf(order['cost']),
    fees:
      fee === 0n
        ? new Map()
        : fee === undefined || asset === undefined
          ? undefined
          : new Map([[asset, fee]]),
    cancel: () => client.request('CancelOrder', 'private', 'POST', { cl_ord_id: id }),
  }
}

async function krakenBalances(client: Exchange): Promise<Map<string, Units>> {
  const answer = recordOf(await client.request('BalanceEx', 'private', 'POST', {}))
  return sumByName(
    Object.entries(recordOf(answer['result'])).map(
      ([name, each]) => [name, unitsOf(recordOf(each)['balance'])] as const,
    ),
  )
}

/** How long an order may take to the matching engine: `recvWindow`. */
const BINANCE_WINDOW_MS = 5_000

const BINANCE: Dialect = {
  deadlineMs: BINANCE_WINDOW_MS,
  listingMs: 5_000,
  isOpen: ({ status, isSpotTradingAllowed, orderTypes }) =>
    status === 'TRADING' &&
    isSpotTradingAllowed === true &&
    Array.isArray(orderTypes) &&
    orderTypes.includes('LIMIT'),
  refusals: new Set([
    // Codes that are an HTTP status: the firewall, a banned address, too many requests.
    ...words('403 418 429'),
    // Codes for: not authorized, too many requests, not passed on to the matching engine, wrong
    // time or key.
    ...words('-1002 -1003 -1013 -1014 -1015 -1020 -1021 -1022 -2014 -2015'),
    // Issues of the request.
    ...words('-1100 -1101 -1102 -1103 -1104 -1105 -1106 -1108 -1111 -1112'),
    ...words('-1114 -1115 -1116 -1117 -1118 -1121 -1128 -1130 -1131 -1134'),
    // Refusals of the matching engine are known by their sentence.
    'Account has insufficient balance for requested action.',
    'Market is closed.',
    'Market orders are not supported for this symbol.',
    'Order book liquidity is less than `LOT_SIZE` filter minimum quantity.',
    'Order would immediately match and take.',
    'Price * QTY is zero or less.',
    'Rest API trading is not enabled.',
    'This account may not place or cancel orders.',
    'This action is disabled on this account.',
    'This symbol is not permitted for this account.',
    'This symbol is restricted for this account.',
    'Unsupported order combination',
  ]),
  // After a 5xx the order may have been executed, whatever the body says.
  codesOf: (status, { code, msg }) =>
    status >= 500
      ? []
      : [['-1010', '-2010'].includes(String(code)) ? String(msg) : String(code ?? status)],
  place: async (client, { id, market, side, quantity, limit, isTest }) => {
    const path = isTest === true ? 'order/test' : 'order'
    const answer = await client.request(path, 'private', 'POST', {
      symbol: market,
      side: side.toUpperCase(),
      type: 'LIMIT',
      timeInForce: 'IOC',
      quantity: printed(quantity),
      price: printed(limit),
      newClientOrderId: id,
      newOrderRespType: 'ACK',
      recvWindow: BINANCE_WINDOW_MS,
    })
    return textOf(recordOf(answer)['clientOrderId'])
  },
  look: async (client, { id, market }) => {
    const name = { symbol: market, origClientOrderId: id }
    const order = await client
      .request('order', 'private', 'GET', name)
      .then(recordOf, (error: unknown) => {
        if (String(recordOf(answerOf(error)?.body)['code']) === '-2013') return undefined
        throw error
      })
    if (!order || order['clientOrderId'] !== id) return undefined
    const [quantity, notional] = ['executedQty', 'cummulativeQuoteQty'].map((field) =>
      unitsOf(order[field]),
    )
    const state = BINANCE_STATES.get(order['status'])
    const trades = { market, orderId: order['orderId'], quantity, notional }
    return {
      state,
      quantity,
      notional,
      fees: state === 'ended' ? await binanceFees(client, trades) : undefined,
      cancel: () => client.request('order', 'private', 'DELETE', name),
    }
  },
  readAccount: async (client) => {
    const { balances } = recordOf(await client.request('account', 'private', 'GET', {}))
    const held = sumByName(
      listOf(balances).map(({ asset, free, locked }) => [
        client.safeCurrencyCode(textOf(asset)) ?? '',
        sumOf([free, locked]),
      ]),
    )
    const burn = recordOf(await client.request('bnbBurn', 'sapi', 'GET', {}))
    const key = recordOf(await client.request('account/apiRestrictions', 'sapi', 'GET', {}))
    const faults = [
      ...(burn['spotBNBBurn'] === false
        ? []
        : [
            'Binance takes its fees from BNB, also from that of customers: switch off "Use BNB ' +
              'to pay for fees" at Binance',
          ]),
      ...(key['enableWithdrawals'] === false
        ? []
        : ['The API key at Binance may withdraw: switch off "Enable Withdrawals" at Binance']),
    ]
    return { held, faults }
  },
}

const BINANCE_STATES = states({
  open: ['NEW', 'PENDING_NEW', 'PARTIALLY_FILLED', 'PENDING_CANCEL'],
  ended: ['FILLED', 'CANCELED', 'REJECTED', 'EXPIRED', 'EXPIRED_IN_MATCH'],
})

const BINANCE_PAGE = 1_000

type Traded = {
  market: string
  orderId: unknown
  quantity: Units | undefined
  notional: Units | undefined
}

/**
 * Adds up the fees of the order's trades: an order itself has no fee. Undefined until all trades
 * are listed.
 */
async function binanceFees(
  client: Exchange,
  { market, orderId, quantity, notional }: Traded,
): Promise<Found['fees']> {
  if (quantity === 0n) return new Map()
  const trades: Answer[] = []
  for (let page: Answer[] | undefined; page === undefined || page.length === BINANCE_PAGE;) {
    const last = trades.at(-1)?.['id']
    page = listOf(
      await client.request('myTrades', 'private', 'GET', {
        symbol: market,
        orderId,
        limit: BINANCE_PAGE,
        ...(last !== undefined && { fromId: String(BigInt(String(last)) + 1n) }),
      }),
    )
    trades.push(...page)
  }
  const all = (field: string) => sumOf(trades.map((trade) => trade[field]))
  if (all('qty') !== quantity || all('quoteQty') !== notional) return undefined
  const fees = new Map<string, Units>()
  for (const { commission, commissionAsset } of trades) {
    const [fee, asset] = [unitsOf(commission), textOf(commissionAsset)]
    if (fee === undefined || asset === undefined) return undefined
    if (fee > 0n) fees.set(asset, (fees.get(asset) ?? 0n) + fee)
  }
  return fees
}

const COINBASE: Dialect = {
  // A signature is valid for two minutes; an order has no deadline of its own.
  deadlineMs: 120_000,
  listingMs: 60_000,
  isOpen: ({ status, trading_disabled: isDisabled, ...market }) =>
    status === 'online' &&
    isDisabled === false &&
    ['is_disabled', 'cancel_only', 'post_only', 'auction_mode', 'view_only'].every(
      (mode) => market[mode] !== true,
    ),
  refusals: new Set([
    ...words('401 403 429 INVALID_ARGUMENT PERMISSION_DENIED UNAUTHENTICATED'),
    'ASSET_BALANCE_INCREASE_REJECT',
    'BREACHED_RISK_LIMIT',
    'COMMANDER_REJECTED_NEW_ORDER',
    'COMPLIANCE_PURCHASE_LIMIT_EXCEEDED',
    'GEOFENCING_RESTRICTION',
    'INELIGIBLE_PAIR',
    'INSUFFICIENT_FUND',
    'INSUFFICIENT_FUNDS',
    'INSUFFICIENT_LEDGER_BALANCE',
    'INVALID_BASE_SIZE_TOO_LARGE',
    'INVALID_BASE_SIZE_TOO_SMALL',
    'INVALID_COMMISSION_CONFIGURATION',
    'INVALID_LEDGER_BALANCE',
    'INVALID_LIMIT_PRICE',
    'INVALID_LIMIT_PRICE_POST_ONLY',
    'INVALID_LIMIT_PRICE_PRECISION',
    'INVALID_NO_LIQUIDITY',
    'INVALID_ORDER_CONFIG',
    'INVALID_PRICE_PRECISION',
    'INVALID_PRICE_TOO_LARGE',
    'INVALID_PRODUCT_ID',
    'INVALID_REQUEST',
    'INVALID_SIDE',
    'INVALID_SIZE_PRECISION',
    'INVALID_UNSUPPORTED_INSTRUMENT',
    'LIMIT_ORDER_PRICE_EXCEEDS_PRICE_BAND_ON_BUY',
    'LIMIT_ORDER_PRICE_EXCEEDS_PRICE_BAND_ON_SELL',
    'LIMIT_PRICE_TOO_FAR_FROM_MARKET',
    'MAX_DAILY_VOLUME_NOTIONAL_BREACHED',
    'MISSING_COMMISSION_RATE',
    'MISSING_MARKET_TRADE_DATA',
    'MISSING_PRODUCT_PRICE_BOOK',
    'NON_NUMERIC_ORDER_SIZE',
    'NOT_ALLOWED_BY_MARKET_STATE',
    'ORDER_ENTRY_DISABLED',
    'PRODUCT_TRADING_HALTED',
    'TRADING_DISABLED',
    'UNSUPPORTED_ORDER_CONFIGURATION',
    'UNTRADABLE_PRODUCT',
  ]),
  codesOf: (status, { error, error_response: response }) => {
    if (status >= 500) return []
    const reasons = recordOf(response)
    const named = ['error', 'new_order_failure_reason', 'preview_failure_reason'].flatMap(
      (field) => textOf(reasons[field]) ?? [],
    )
    // If one field has the reason, the others say that their reason is unknown.
    const said = named.filter((reason) => !reason.startsWith('UNKNOWN_'))
    if (response !== undefined) return said.map((reason) => reason.replace(/^PREVIEW_/, ''))
    return [textOf(error) ?? String(status)]
  },
  place: async (client, { id, market, side, quantity, limit, isTest }) => {
    const order = {
      product_id: market,
      side: side.toUpperCase(),
      order_configuration: {
        sor_limit_ioc: { base_size: printed(quantity), limit_price: printed(limit) },
      },
    }
    if (isTest === true) {
      const path = 'brokerage/orders/preview'
      const answer = recordOf(await client.request(path, COINBASE_API, 'POST', order))
      const [refusal] = Array.isArray(answer['errs']) ? answer['errs'] : []
      if (refusal !== undefined) throw new Error(String(refusal))
      return undefined
    }
    const answer = await client.request('brokerage/orders', COINBASE_API, 'POST', {
      client_order_id: id,
      ...order,
    })
    return textOf(recordOf(recordOf(answer)['success_response'])['client_order_id'])
  },
  look: async (client, { id, market, sentAt }) => {
    for await (const page of coinbasePages(client, 'orders/historical/batch', {
      product_id: market,
      start_date: new Date(sentAt.getTime() - 60_000).toISOString(),
    })) {
      const order = listOf(page['orders']).find(({ client_order_id: theirs }) => theirs === id)
      if (order) return coinbaseOrder(client, order)
    }
    return undefined
  },
  readAccount: async (client) => {
    const accounts: Answer[] = []
    for await (const page of coinbasePages(client, 'accounts', {}))
      accounts.push(...listOf(page['accounts']))
    const held = sumByName(
      accounts.map(({ currency, available_balance: available, hold }) => [
        client.safeCurrencyCode(textOf(currency)) ?? '',
        sumOf([recordOf(available)['value'], recordOf(hold)['value']]),
      ]),
    )
    const path = 'brokerage/key_permissions'
    const key = recordOf(await client.request(path, COINBASE_API, 'GET', {}))
    const fault =
      'The API key at Coinbase may transfer money out: make one that may only view and trade'
    return { held, faults: key['can_transfer'] === false ? [] : [fault] }
  },
}

const COINBASE_API = ['v3', 'private']

const COINBASE_STATES = states({
  open: ['PENDING', 'OPEN', 'QUEUED', 'CANCEL_QUEUED', 'EDIT_QUEUED'],
  ended: ['FILLED', 'CANCELLED', 'EXPIRED', 'FAILED'],
})

function coinbaseOrder(client: Exchange, order: Answer): Found {
  const quantity = unitsOf(order['filled_size'])
  const paid = order['side'] === 'BUY' ? ceilOf : unitsOf
  const fee = ceilOf(order['total_fees'])
  return {
    state: COINBASE_STATES.get(order['status']),
    quantity,
    notional: paid(order['filled_value']),
    fees: fee === undefined ? undefined : new Map([['quote', fee]]),
    cancel: () =>
      client.request('brokerage/orders/batch_cancel', COINBASE_API, 'POST', {
        order_ids: [order['order_id']],
      }),
  }
}

async function* coinbasePages(
  client: Exchange,
  path: string,
  parameters: object,
): AsyncGenerator<Answer> {
  for (let cursor = ''; ;) {
    const page = recordOf(
      await client.request(`brokerage/${path}`, COINBASE_API, 'GET', {
        ...parameters,
        limit: 250,
        ...(cursor !== '' && { cursor }),
      }),
    )
    yield page
    const next = textOf(page['cursor']) ?? ''
    if (page['has_next'] !== true || next === '' || next === cursor) return
    cursor = next
  }
}

function states({
  open,
  ended,
}: Record<'open' | 'ended', readonly string[]>): ReadonlyMap<unknown, 'open' | 'ended'> {
  return new Map<unknown, 'open' | 'ended'>([
    ...open.map((name) => [name, 'open'] as const),
    ...ended.map((name) => [name, 'ended'] as const),
  ])
}

/** A balance that cannot be read is not 0. */
function sumByName(all: readonly (readonly [string, Units | undefined])[]): Map<string, Units> {
  const sums = new Map<string, Units>()
  for (const [name, units] of all) {
    if (units === undefined) throw new Error(`the balance of ${name} cannot be read`)
    sums.set(name, (sums.get(name) ?? 0n) + units)
  }
  return sums
}

export const DIALECTS: Record<ExchangeName, Dialect> = {
  kraken: KRAKEN,
  binance: BINANCE,
  coinbase: COINBASE,
}
