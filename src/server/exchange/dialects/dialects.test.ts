import { afterAll, expect, test } from 'vitest'
import {
  closeAll,
  exchangeOf,
  ORDER,
  PLACE,
  type Answer,
} from '../../../../test/emulators/canned-exchange.ts'
import { OrderRejected, OrderUnknown } from '../exchange-account.ts'
import type { ExchangeName } from '../open-exchange.ts'

afterAll(closeAll)

/**
 * The meaning of every documented answer to an order, through the client and over a socket. The
 * bodies are those of the exchanges' documentation and of recorded answers (docs/emulators.md).
 */

type Meaning = 'refused' | 'unknown'

/** Answers to an order, by status, with the reason in the exchange's own words. */
const KRAKEN_ERRORS: Record<Meaning, string[]> = {
  refused: [
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
    'EBM:limit exceeded:CAL',
    'EGeneral:Invalid arguments',
    'EGeneral:Invalid arguments:volume minimum not met',
    'EGeneral:Invalid arguments:Index unavailable',
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
    'EOrder:Invalid price:XBT/USD price can only be specified up to 1 decimals.',
    'EOrder:Margin allowance exceeded',
    'EOrder:Margin level too low',
    'EOrder:Margin position size exceeded',
    'EOrder:Order minimum not met',
    'EOrder:Orders limit exceeded',
    'EOrder:Positions limit exceeded',
    'EOrder:Post only order',
    'EOrder:Rate limit exceeded',
    'EOrder:Reduce only:Non-PC',
    'EOrder:Reduce only:No position exists',
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
  ],
  unknown: [
    'EService:Unavailable',
    'EService:Busy',
    'EService:Timeout',
    'EGeneral:Internal error',
    'EGeneral:Internal error:1234',
    'EDatabase:Internal error',
    'EGeneral:Invalid arguments:cl_ord_id not unique',
    'EOrder:Reduce only:Position is closed',
    'EGeneral:Unknown method',
    'WGeneral:Danger',
    'ESomething:New',
  ],
}

const BINANCE_ERRORS: Record<Meaning, [status: number, code: number, message: string][]> = {
  refused: [
    [401, -1002, 'You are not authorized to execute this request.'],
    [
      429,
      -1003,
      'Too much request weight used; current limit is 6000 request weight per 1 MINUTE.',
    ],
    [418, -1003, 'Way too much request weight used; IP banned until 1764240000000.'],
    [400, -1013, 'Filter failure: NOTIONAL'],
    [400, -1013, 'Filter failure: LOT_SIZE'],
    [400, -1014, 'Unsupported order combination.'],
    [429, -1015, 'Too many new orders; current limit is 100 orders per 10 SECOND.'],
    [400, -1020, 'This operation is not supported.'],
    [400, -1021, 'Timestamp for this request is outside of the recvWindow.'],
    [400, -1021, "Timestamp for this request was 1000ms ahead of the server's time."],
    [400, -1022, 'Signature for this request is not valid.'],
    [400, -1100, "Illegal characters found in parameter 'price'; legal range is '^.*$'."],
    [400, -1101, 'Too many parameters sent for this endpoint.'],
    [400, -1102, "Mandatory parameter 'symbol' was not sent, was empty/null, or malformed."],
    [400, -1103, 'An unknown parameter was sent.'],
    [400, -1104, 'Not all sent parameters were read.'],
    [400, -1105, "Parameter 'price' was empty."],
    [400, -1106, "Parameter 'price' sent when not required."],
    [400, -1108, "Parameter 'quantity' overflowed."],
    [400, -1111, "Parameter 'quantity' has too much precision."],
    [400, -1112, 'No orders on book for symbol.'],
    [400, -1114, 'TimeInForce parameter sent when not required.'],
    [400, -1115, 'Invalid timeInForce.'],
    [400, -1116, 'Invalid orderType.'],
    [400, -1117, 'Invalid side.'],
    [400, -1118, 'New client order ID was empty.'],
    [400, -1121, 'Invalid symbol.'],
    [400, -1128, 'Combination of optional parameters invalid.'],
    [400, -1130, "Data sent for parameter 'price' is not valid."],
    [400, -1131, 'recvWindow must be less than 60000.'],
    [400, -1134, '`strategyType` was less than 1000000.'],
    [400, -2014, 'API-key format invalid.'],
    [401, -2015, 'Invalid API-key, IP, or permissions for action.'],
    [400, -2010, 'Account has insufficient balance for requested action.'],
    [400, -2010, 'Market is closed.'],
    [400, -2010, 'This symbol is not permitted for this account.'],
    [400, -2010, 'This symbol is restricted for this account.'],
    [400, -2010, 'This account may not place or cancel orders.'],
    [400, -2010, 'This action is disabled on this account.'],
    [400, -2010, 'Rest API trading is not enabled.'],
    [400, -2010, 'Price * QTY is zero or less.'],
    [400, -2010, 'Unsupported order combination'],
    [400, -2010, 'Market orders are not supported for this symbol.'],
    [400, -2010, 'Order book liquidity is less than `LOT_SIZE` filter minimum quantity.'],
    [400, -1010, 'Order would immediately match and take.'],
  ],
  unknown: [
    [400, -1000, 'An unknown error occurred while processing the request.'],
    [400, -1001, 'Internal error; unable to process your request. Please try again.'],
    [400, -1006, 'An unexpected response was received. Execution status unknown.'],
    [400, -1007, 'Timeout waiting for response. Send status unknown; execution status unknown.'],
    [400, -1008, 'Server is currently overloaded with other requests.'],
    [400, -1016, 'This service is no longer available.'],
    [400, -2010, 'Duplicate order sent.'],
    [400, -2010, 'Something new.'],
    [400, -2011, 'Unknown order sent.'],
    [400, -2013, 'Order does not exist.'],
    [400, -2026, 'Order was canceled or expired with no executed qty over 90 days ago.'],
    [400, -9999, 'Something new.'],
    [500, -2015, 'Invalid API-key, IP, or permissions for action.'],
    [503, -1008, 'Server is currently overloaded with other requests.'],
    [502, -1013, 'Filter failure: LOT_SIZE'],
  ],
}

const COINBASE_REASONS: Record<Meaning, string[]> = {
  refused: [
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
  ],
  unknown: [
    'UNKNOWN_FAILURE_REASON',
    'DUPLICATE_CLIENT_ORDER_ID',
    'ORDER_IS_PENDING_CANCEL',
    'TOO_MANY_PENDING_REPLACES',
    'STOP_ALREADY_TRIGGERED',
    'SOMETHING_NEW',
  ],
}

const coinbaseFailure = (reason: string, field: string) => ({
  success: false,
  failure_reason: 'UNKNOWN_FAILURE_REASON',
  order_id: '',
  error_response: {
    error: 'UNKNOWN_FAILURE_REASON',
    message: 'a sentence',
    error_details: '',
    preview_failure_reason: 'UNKNOWN_PREVIEW_FAILURE_REASON',
    [field]: reason,
  },
})

const COINBASE_STATUSES: Record<Meaning, [status: number, body: unknown][]> = {
  refused: [
    [400, { error: 'INVALID_ARGUMENT', error_details: '', message: 'size is required' }],
    [401, 'Unauthorized'],
    [401, { error: 'UNAUTHENTICATED', message: 'the key is wrong' }],
    [403, { error: 'PERMISSION_DENIED', error_details: '', message: 'Missing required scopes' }],
    [429, { errors: [{ id: 'rate_limit_exceeded', message: 'Too many requests' }] }],
    [401, { errors: [{ id: 'authentication_error', message: 'request timestamp expired' }] }],
  ],
  unknown: [
    [400, { error: 'unknown', error_details: 'something', message: 'something' }],
    [404, { errors: [{ id: 'not_found', message: 'Not found' }] }],
    [500, { error: 'INTERNAL', message: 'internal error' }],
    [500, coinbaseFailure('INSUFFICIENT_FUND', 'error')],
    [502, 'Bad Gateway'],
    [503, ''],
    [200, 'not even JSON'],
    [200, {}],
  ],
}

const ERRORS: [name: ExchangeName, meaning: Meaning, said: string, answer: Answer][] = (
  ['refused', 'unknown'] as const
).flatMap((meaning) => [
  ...KRAKEN_ERRORS[meaning].map((said): (typeof ERRORS)[number] => [
    'kraken',
    meaning,
    said,
    { body: { error: [said] } },
  ]),
  ...BINANCE_ERRORS[meaning].map(([status, code, msg]): (typeof ERRORS)[number] => [
    'binance',
    meaning,
    `${status} ${code} ${msg}`,
    { status, body: { code, msg } },
  ]),
  ...COINBASE_REASONS[meaning].flatMap((reason): typeof ERRORS => [
    ['coinbase', meaning, reason, { body: coinbaseFailure(reason, 'error') }],
    [
      'coinbase',
      meaning,
      `preview ${reason}`,
      { status: 400, body: coinbaseFailure(`PREVIEW_${reason}`, 'preview_failure_reason') },
    ],
  ]),
  ...COINBASE_STATUSES[meaning].map(([status, body]): (typeof ERRORS)[number] => [
    'coinbase',
    meaning,
    `${status} ${JSON.stringify(body)}`,
    { status, body },
  ]),
])

ERRORS.push(
  ['kraken', 'unknown', 'two errors', { body: { error: ['EOrder:Rate limit exceeded', 'E:X'] } }],
  ['kraken', 'unknown', 'HTTP 502', { status: 502, body: 'Bad Gateway' }],
  ['kraken', 'unknown', 'HTTP 520', { status: 520, body: '' }],
  ['kraken', 'unknown', 'HTTP 429', { status: 429, body: '' }],
  ['binance', 'refused', 'the firewall', { status: 403, body: '<html>Forbidden</html>' }],
  ['binance', 'unknown', 'HTTP 504', { status: 504, body: '' }],
  ['binance', 'unknown', 'HTTP 400 without a code', { status: 400, body: '<html></html>' }],
)

test.each(ERRORS)(
  '%s: an order counts as %s after the answer: %s',
  async (name, meaning, _, answer) => {
    const { account, answers } = await exchangeOf(name)
    answers[PLACE[name]] = answer
    const ended = await account.send(ORDER).catch((error: unknown) => error)
    // After an answer without a refusal, the order is looked up by our id.
    if ((answer.status ?? 200) === 200 && ended === undefined)
      return expect(meaning).toBe('unknown')
    expect(ended).toBeInstanceOf(meaning === 'refused' ? OrderRejected : OrderUnknown)
  },
)
