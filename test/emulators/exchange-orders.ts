import { setTimeout as wait } from 'node:timers/promises'
import type { ExchangeSide, RestAnswer, RestRequest } from './exchange-side.ts'
import type { ExchangeState } from './exchange-state.ts'
import { accessCheck } from './orders/access.ts'
import { checkArrival } from './orders/add-order.ts'
import { COST_PLACES, createBook, executedOf, type Order } from './orders/book.ts'
import { CALLS } from './orders/calls.ts'
import { PRO_LIMITS, rateCheck, type Limits } from './orders/counters.ts'
import { printParts } from './orders/decimals.ts'
import { costOf, feeOf } from './orders/print.ts'

/**
 * Faults of a request. 'lose-reply' executes it and closes the connection, 'drop-before' closes the
 * connection before executing, 'hang' does nothing and never answers, 'slow' queues it: it is
 * executed late, even if nobody waits for the response any more.
 */
export type OrderFault =
  | 'lose-reply'
  | 'drop-before'
  | 'hang'
  | 'slow'
  | 'rate-limit'
  | 'maintenance'
  | 'unavailable'
  | 'busy'
  | 'internal-error'

export type PlacedOrder = {
  txid: string
  clientOrderId: string
  pair: string
  side: 'buy' | 'sell'
  volume: string
  executed: string
  cost: string
  fee: string
  status: 'open' | 'closed' | 'canceled' | 'expired'
  reason?: string
}

/** Orders and balances of one account at the exchange. */
export type OrderSide = ExchangeSide & {
  /**
   * By Kraken's asset id ('ZUSD', 'XXBT'), decimals. An exact book of its own, changed by every
   * trade.
   */
  balances: () => Record<string, string>
  /** Every accepted order with its executions. */
  orders: () => readonly PlacedOrder[]
  /** Number of AddOrder requests received, executed or not. */
  received: () => number
  /**
   * Faults for the next requests; each lasts for `times` requests (default 1) of the given call
   * (default 'AddOrder').
   */
  meet: (fault: OrderFault, options?: { times?: number; call?: string; delayMs?: number }) => void
  /**
   * The share of an order's volume that finds a counterparty at once, in basis points, everywhere
   * or in one market ('BTC/USD').
   */
  setDepth: (bps: number, market?: string) => void
  /**
   * Basis points by which a taker's price is worse than the last price (half spread and impact).
   */
  setSpread: (bps: number) => void
}

export type OrderSideOptions = {
  key: string
  /** In Kraken's format: base64. */
  secret: string
  balances?: Record<string, string>
  /** Default: those of Kraken's highest tier. */
  limits?: Partial<Limits>
}

/**
 * Delay of a slow request at the matching engine: beyond the shortest deadline that Kraken allows.
 */
const SLOW_MS = 3_000

type Fault = { fault: OrderFault; call: string; left: number; delayMs: number }

/**
 * One account at Kraken: keys, orders, balances, histories, as in its REST API (docs/emulators.md
 * lists the comparisons).
 */
export function orderSide(
  state: ExchangeState,
  { key, secret, balances = {}, limits = {} }: OrderSideOptions,
): OrderSide {
  const book = createBook(state, balances)
  const checkAccess = accessCheck({ key, secret })
  const checkRate = rateCheck(state, book, { ...PRO_LIMITS, ...limits })
  const faults: Fault[] = []
  let received = 0
  const admit = (request: RestRequest, form: URLSearchParams): RestAnswer | undefined => {
    const refusal = checkAccess(request) ?? checkRate(request.name, form)
    if (refusal !== undefined) return { error: [refusal] }
    return request.name === 'AddOrder' ? checkArrival({ state, form }) : undefined
  }
  const serve = async (request: RestRequest, delayMs: number): Promise<RestAnswer> => {
    const form = new URLSearchParams(request.body)
    const refused = admit(request, form)
    if (refused !== undefined) return refused
    if (delayMs > 0) await wait(delayMs)
    book.moveOn()
    return CALLS[request.name]?.({ state, book, form }) ?? UNKNOWN
  }
  return {
    rest: async (request) => {
      if (request.access !== 'private' || !(request.name in CALLS)) return undefined
      if (request.name === 'AddOrder') received += 1
      const met = takeFault(faults, request.name)
      const atTheDoor = met && AT_THE_DOOR[met.fault]
      if (atTheDoor !== undefined) return atTheDoor
      const answered = await serve(request, met?.fault === 'slow' ? met.delayMs : 0)
      return met?.fault === 'lose-reply' ? 'drop' : answered
    },
    balances: () => {
      book.moveOn()
      return Object.fromEntries(
        [...book.balances].map(([asset, parts]) => [asset, printParts(parts, ASSET_PLACES)]),
      )
    },
    orders: () => {
      book.moveOn()
      return book.orders.map(placed)
    },
    received: () => received,
    meet: (fault, { times = 1, call = 'AddOrder', delayMs = SLOW_MS } = {}) =>
      void faults.push({ fault, call, left: times, delayMs }),
    setDepth: book.setDepth,
    setSpread: book.setSpread,
  }
}

const ASSET_PLACES = 10
const UNKNOWN: RestAnswer = { error: ['EGeneral:Unknown method'] }

/** Faults that apply before anything is executed. */
const AT_THE_DOOR: Readonly<Partial<Record<OrderFault, RestAnswer>>> = {
  'drop-before': 'drop',
  hang: 'hang',
  'rate-limit': { error: ['EAPI:Rate limit exceeded'] },
  maintenance: { error: ['EService:Market in cancel_only mode'] },
  busy: { error: ['EService:Busy'] },
  unavailable: { status: 503, error: ['EService:Unavailable'] },
  'internal-error': { error: ['EGeneral:Internal error'] },
}

function takeFault(faults: Fault[], call: string): Fault | undefined {
  const index = faults.findIndex((each) => each.call === call)
  const found = faults[index]
  if (found === undefined) return undefined
  found.left -= 1
  if (found.left <= 0) faults.splice(index, 1)
  return found
}

function placed(order: Order): PlacedOrder {
  const { txid, clientOrderId = '', market, side, volume, status, reason } = order
  const [lots, costs] = [market.lotDecimals, COST_PLACES]
  return {
    txid,
    clientOrderId,
    pair: market.symbol,
    side,
    volume: printParts(volume, lots),
    executed: printParts(executedOf(order), lots),
    cost: printParts(costOf(order), costs),
    fee: printParts(feeOf(order), costs),
    status,
    ...(reason !== undefined && { reason }),
  }
}
