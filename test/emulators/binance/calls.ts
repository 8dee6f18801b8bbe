import type { AccountAsked } from '../exchange-dialect.ts'
import { rateOf, type Order } from '../orders/book.ts'
import { formOf } from './access.ts'
import { eight, mandatory, Refused } from './answer.ts'
import { marketOf } from './market.ts'
import { placeOrder } from './order.ts'
import { printCanceled, printOrder, printPlaced, printTrade } from './print.ts'
import { DISCOUNT } from './rules.ts'

type Asked = Omit<AccountAsked, 'request'> & { form: URLSearchParams }

/** The signed calls of an account, by name. */
const CALLS: Readonly<Record<string, (asked: Asked) => unknown>> = {
  'POST order': (asked) => {
    const order = placeOrder({ ...asked, isValidation: false })
    const usual = order.isPostOnly ? 'ACK' : 'FULL'
    return printPlaced(order, asked.form.get('newOrderRespType') ?? usual)
  },
  'POST order/test': (asked) => {
    const order = placeOrder({ ...asked, isValidation: true })
    return asked.form.get('computeCommissionRates') === 'true' ? ratesForOrder(order, asked) : {}
  },
  'DELETE order': ({ state, book, form }) => {
    const order = findOrder({ state, book, form })
    if (order?.status !== 'open') throw new Refused(-2011)
    book.cancel(order, 'User requested')
    return printCanceled(order, form.get('newClientOrderId') ?? 'cancelMyOrder1')
  },
  'GET order': (asked) => {
    const order = findOrder(asked)
    if (order === undefined) throw new Refused(-2013)
    return printOrder(order)
  },
  'GET openOrders': ({ state, book, form }) => {
    const symbol = form.get('symbol')
    const market = symbol === null ? undefined : marketOf(state, symbol)
    return book.orders
      .filter((order) => order.status === 'open' && (market ?? order.market) === order.market)
      .map(printOrder)
  },
  'GET allOrders': ({ state, book, form }) => {
    const market = marketOf(state, mandatory(form, 'symbol'))
    const own = book.orders.filter((order) => order.market === market)
    return page(own, {
      form,
      timeOf: (order) => order.openedMs,
      since: idAtLeast(form, 'orderId'),
    }).map(printOrder)
  },
  'GET myTrades': ({ state, book, form }) => {
    const market = marketOf(state, mandatory(form, 'symbol'))
    const orderId = form.get('orderId')
    const trades = book.orders
      .filter((order) => order.market === market && (orderId ?? order.txid) === order.txid)
      .flatMap((order) => order.executions.map((trade) => ({ txid: trade.id, order, trade })))
      .toSorted((a, b) => Number(a.txid) - Number(b.txid))
    const timeOf = ({ trade }: (typeof trades)[number]) => trade.timeMs
    return page(trades, { form, timeOf, since: idAtLeast(form, 'fromId') }).map(
      ({ order, trade }) => printTrade(order, trade),
    )
  },
  'GET account': (asked) => account(asked),
  'GET account/commission': (asked) => {
    const market = marketOf(asked.state, mandatory(asked.form, 'symbol'))
    const rate = eight(rateOf(market))
    const none = { maker: NONE, taker: NONE, buyer: NONE, seller: NONE }
    return {
      symbol: market.id,
      standardCommission: { maker: rate, taker: rate, buyer: NONE, seller: NONE },
      specialCommission: none,
      taxCommission: none,
      discount: discountOf(asked),
    }
  },
  'GET bnbBurn': (asked) => burnOf(asked),
  'POST bnbBurn': ({ form, ...asked }) => {
    const wanted = form.get('spotBNBBurn')
    if (wanted !== null) asked.options.spotBNBBurn = wanted === 'true'
    return burnOf({ form, ...asked })
  },
  'GET account/apiRestrictions': ({ options: { mayWithdraw = false } }) => ({
    ipRestrict: true,
    createTime: 1_623_840_271_000,
    enableReading: true,
    enableWithdrawals: mayWithdraw,
    enableInternalTransfer: false,
    enableMargin: false,
    enableFutures: false,
    permitsUniversalTransfer: false,
    enableVanillaOptions: false,
    enableFixApiTrade: false,
    enableFixReadOnly: false,
    enableSpotAndMarginTrading: true,
    enablePortfolioMarginTrading: false,
  }),
}

export function binanceAccount({ request, ...asked }: AccountAsked): unknown {
  return CALLS[request.name]?.({ ...asked, form: formOf(request) })
}

const NONE = '0.00000000'

const burnOf = ({ options: { spotBNBBurn = false } }: Asked): unknown => ({
  spotBNBBurn,
  interestBNBBurn: false,
})

const discountOf = ({ options: { spotBNBBurn = false } }: Asked): unknown => ({
  enabledForAccount: spotBNBBurn,
  enabledForSymbol: true,
  discountAsset: 'BNB',
  discount: DISCOUNT,
})

function ratesForOrder({ market }: Order, asked: Asked): unknown {
  const rate = eight(rateOf(market))
  return {
    standardCommissionForOrder: { maker: rate, taker: rate },
    specialCommissionForOrder: { maker: NONE, taker: NONE },
    taxCommissionForOrder: { maker: NONE, taker: NONE },
    discount: discountOf(asked),
  }
}

/** Finds an order by the exchange's id or by ours; the latest one if an id was used again. */
function findOrder({ state, book, form }: Pick<Asked, 'state' | 'book' | 'form'>) {
  const market = marketOf(state, mandatory(form, 'symbol'))
  const [id, ours] = [form.get('orderId'), form.get('origClientOrderId')]
  if (id === null && ours === null)
    throw new Refused(
      -1102,
      "Param 'origClientOrderId' or 'orderId' must be sent, but both were empty/null!",
    )
  return book.orders.findLast(
    ({ market: own, txid, clientOrderId }) =>
      own === market && (id ?? txid) === txid && (ours ?? clientOrderId) === clientOrderId,
  )
}

const DAY_MS = 86_400_000

type Page<T> = {
  form: URLSearchParams
  timeOf: (each: T) => number
  since: (each: T) => boolean
}

const idAtLeast =
  (form: URLSearchParams, name: string) =>
  ({ txid }: { txid: string }): boolean =>
    Number(txid) >= Number(form.get(name) ?? 0)

/**
 * Returns the oldest entries from a start on, or the latest ones without a start. Start and end are
 * at most a day apart.
 */
function page<T>(all: readonly T[], { form, timeOf, since }: Page<T>): T[] {
  const [start, end] = [form.get('startTime'), form.get('endTime')]
  if (start !== null && end !== null && Number(end) - Number(start) > DAY_MS)
    throw new Refused(-1127, 'More than 24 hours between startTime and endTime.')
  const found = all.filter(
    (each) =>
      since(each) &&
      timeOf(each) >= Number(start ?? 0) &&
      timeOf(each) <= Number(end ?? Number.POSITIVE_INFINITY),
  )
  const limit = Math.min(1_000, Number(form.get('limit') ?? 500))
  const isFromStart = start !== null || form.has('orderId') || form.has('fromId')
  return isFromStart ? found.slice(0, limit) : found.slice(-limit)
}

function account({ state, book, form }: Asked): unknown {
  const [market] = state.markets.values()
  const rate = market === undefined ? NONE : eight(rateOf(market))
  const points = Math.round(Number(rate) * 10_000)
  return {
    makerCommission: points,
    takerCommission: points,
    buyerCommission: 0,
    sellerCommission: 0,
    commissionRates: { maker: rate, taker: rate, buyer: NONE, seller: NONE },
    canTrade: true,
    canWithdraw: true,
    canDeposit: true,
    brokered: false,
    requireSelfTradePrevention: false,
    preventSor: false,
    updateTime: Math.floor(book.orders.at(-1)?.openedMs ?? state.clock.nowMs()),
    accountType: 'SPOT',
    balances: balancesOf({ state, book }).filter(
      ({ free, locked }) =>
        form.get('omitZeroBalances') !== 'true' || free !== NONE || locked !== NONE,
    ),
    permissions: ['SPOT'],
    uid: 354_937_868,
  }
}

function balancesOf({ state, book }: Pick<AccountAsked, 'state' | 'book'>) {
  const assets = new Set([
    ...[...state.markets.values()].map(({ base }) => base),
    state.money,
    ...book.balances.keys(),
  ])
  return [...assets].map((asset) => {
    const locked = book.held(asset)
    return {
      asset,
      free: eight((book.balances.get(asset) ?? 0n) - locked),
      locked: eight(locked),
    }
  })
}
