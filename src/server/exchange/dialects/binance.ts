import type { Exchange } from 'ccxt'
import type { Units } from '#core/money/amount.ts'
import { answerOf } from '../open-exchange.ts'
import {
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

/** Maximum time for an order to reach the matching engine: `recvWindow`. */
const BINANCE_WINDOW_MS = 5_000

export const BINANCE: Dialect = {
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
    // Codes for an invalid request.
    ...words('-1100 -1101 -1102 -1103 -1104 -1105 -1106 -1108 -1111 -1112'),
    ...words('-1114 -1115 -1116 -1117 -1118 -1121 -1128 -1130 -1131 -1134'),
    // The matching engine's refusals are recognized by their message.
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
