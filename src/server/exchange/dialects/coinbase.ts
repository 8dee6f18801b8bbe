import type { Exchange } from 'ccxt'
import {
  ceilOf,
  listOf,
  printed,
  recordOf,
  states,
  sumByName,
  sumOf,
  textOf,
  unitsOf,
  words,
  type Answer,
  type Dialect,
  type Found,
} from './dialect.ts'

export const COINBASE: Dialect = {
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
    // Only one field has the reason; the others contain UNKNOWN_….
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
