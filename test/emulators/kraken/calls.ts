import type { AccountOptions } from '../exchange-dialect.ts'
import type { ExchangeState } from '../exchange-state.ts'
import type { Book, Execution, Order } from '../orders/book.ts'
import { printParts, type Parts } from '../orders/decimals.ts'
import { addOrder } from './add-order.ts'
import type { KrakenAnswer } from './answer.ts'
import { printOrder, printTrade } from './print.ts'

export type Asked = {
  state: ExchangeState
  book: Book
  form: URLSearchParams
  options: AccountOptions
}

type Call = (asked: Asked) => KrakenAnswer

/** The private calls of an account, by name. */
export const CALLS: Readonly<Record<string, Call>> = {
  AddOrder: addOrder,
  CancelOrder: ({ book, form }) => {
    const [txid, clientOrderId] = [form.get('txid'), form.get('cl_ord_id')]
    if ((txid === null) === (clientOrderId === null))
      return { error: ['EGeneral:Invalid arguments'] }
    const known = book.orders.filter((order) =>
      txid === null ? order.clientOrderId === clientOrderId : order.txid === txid,
    )
    const open = known.find(({ status }) => status === 'open')
    if (open === undefined)
      return {
        error: [
          known.length === 0 && txid !== null ? 'EOrder:Invalid order' : 'EOrder:Unknown order',
        ],
      }
    book.cancel(open, 'User requested')
    return { result: { count: 1 } }
  },
  QueryOrders: ({ book, form }) => {
    const txids = form.get('txid')?.split(',') ?? []
    if (txids.length === 0 || txids.length > MOST_QUERIED)
      return { error: ['EGeneral:Invalid arguments'] }
    const found = book.orders.filter(({ txid }) => txids.includes(txid))
    if (found.length < new Set(txids).size) return { error: ['EOrder:Invalid order'] }
    return {
      result: byId(
        found.filter((order) => isAskedFor(order, form)),
        { form },
      ),
    }
  },
  OpenOrders: ({ book, form }) => {
    const open = book.orders.filter((order) => order.status === 'open' && isAskedFor(order, form))
    return { result: { open: byId(open, { form, withReason: false }) } }
  },
  ClosedOrders: ({ book, form }) => {
    const closed = book.orders.filter(
      (order) => order.status !== 'open' && isAskedFor(order, form) && isWithin(order, form),
    )
    return { result: { closed: byId(page(closed, form), { form }), count: closed.length } }
  },
  TradesHistory: ({ book, form }) => {
    const trades = tradesOf(book).filter(({ trade }) => isBetween(trade.timeMs, form))
    return { result: { trades: printTrades(page(trades, form)), count: trades.length } }
  },
  QueryTrades: ({ book, form }) => {
    const ids = form.get('txid')?.split(',') ?? []
    const found = tradesOf(book).filter(({ trade }) => ids.includes(trade.id))
    if (found.length === 0 || found.length < new Set(ids).size)
      return { error: ['EQuery:Unknown trade'] }
    return { result: printTrades(found) }
  },
  Balance: (asked) => ({ result: byAsset(asked, (asset, parts) => printAmount(asset, parts)) }),
  BalanceEx: ({ book, ...asked }) => ({
    result: byAsset({ book, ...asked }, (asset, parts) => ({
      balance: printAmount(asset, parts),
      hold_trade: printAmount(asset, book.held(asset)),
    })),
  }),
  GetApiKeyInfo: ({ options: { key, mayWithdraw = false } }) => ({
    result: {
      apiKeyName: 'bots',
      apiKey: key,
      nonce: '1772627060997',
      nonceWindow: 0,
      permissions: [...MAY_TRADE, ...(mayWithdraw ? ['withdraw-funds'] : [])],
      iban: 'AA88 N84G WOAK NMOI',
      validUntil: '0',
      queryFrom: '0',
      queryTo: '0',
      createdTime: '1772542900',
      modifiedTime: '1772543095',
      ipAllowlist: ['192.0.2.1'],
      lastUsed: '1772627061',
    },
  }),
}

const MAY_TRADE = [
  'query-funds',
  'query-open-trades',
  'query-closed-trades',
  'modify-trades',
  'close-trades',
]

const MOST_QUERIED = 50
const PAGE = 50

/** Decimals as in the table of assets: money is printed with 4 decimals, truncated. */
function printAmount(asset: string, parts: Parts): string {
  return printParts(parts, asset === 'ZUSD' ? 4 : 10)
}

/** With rewards on, an asset is named by its short name: 'XBT.F', 'USD.F'. */
function byAsset(
  { state, book, options: { rewards } }: Asked,
  print: (asset: string, parts: Parts) => unknown,
): Record<string, unknown> {
  const nameOf = (asset: string): string => {
    const market = [...state.markets.values()].find(({ base }) => base === asset)
    const short = asset === state.money ? 'USD' : (market?.wsname.split('/')[0] ?? asset)
    return rewards === undefined ? asset : `${short}.${rewards}`
  }
  return Object.fromEntries(
    [...book.balances].map(([asset, parts]) => [nameOf(asset), print(asset, parts)]),
  )
}

type Listing = { form: URLSearchParams; withReason?: boolean }

function byId(
  orders: readonly Order[],
  { form, withReason = true }: Listing,
): Record<string, unknown> {
  const withTrades = form.get('trades') === 'true'
  return Object.fromEntries(
    orders.map((order) => [order.txid, printOrder(order, { withTrades, withReason })]),
  )
}

function isAskedFor({ clientOrderId }: Order, form: URLSearchParams): boolean {
  const asked = form.get('cl_ord_id')
  return asked === null || asked === clientOrderId
}

/** `closetime` selects the time to compare; by default either. */
function isWithin({ openedMs, closedMs = openedMs }: Order, form: URLSearchParams): boolean {
  const which = form.get('closetime')
  return (
    (which !== 'close' && isBetween(openedMs, form)) ||
    (which !== 'open' && isBetween(closedMs, form))
  )
}

/** After `start`, and until `end`, in seconds. */
function isBetween(ms: number, form: URLSearchParams): boolean {
  const [start, end] = [form.get('start'), form.get('end')]
  return (
    (start === null || ms > Number(start) * 1_000) && (end === null || ms <= Number(end) * 1_000)
  )
}

/** Newest first. */
function page<T>(all: readonly T[], form: URLSearchParams): T[] {
  const offset = Number(form.get('ofs') ?? 0)
  return all.toReversed().slice(offset, offset + PAGE)
}

type Trade = { order: Order; trade: Execution }

function tradesOf(book: Book): Trade[] {
  const trades = book.orders.flatMap((order) => order.executions.map((trade) => ({ order, trade })))
  return trades.toSorted((a, b) => a.trade.timeMs - b.trade.timeMs)
}

function printTrades(trades: readonly Trade[]): Record<string, unknown> {
  return Object.fromEntries(trades.map(({ order, trade }) => [trade.id, printTrade(order, trade)]))
}
