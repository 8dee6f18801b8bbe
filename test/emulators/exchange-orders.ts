import { setTimeout as wait } from 'node:timers/promises'
import type { ExchangeSide, RestAnswer, RestRequest } from './exchange.ts'
import type { ExchangeState } from './exchange-state.ts'
import { accessCheck } from './orders/access.ts'
import { COST_PLACES, createBook, executedOf, type Order } from './orders/book.ts'
import { CALLS } from './orders/calls.ts'
import { decayingCounter, type Limit } from './orders/counters.ts'
import { printParts } from './orders/decimals.ts'
import { costOf, feeOf } from './orders/print.ts'

/** What goes wrong with a request. */
export type OrderFault = 'lose-reply' | 'drop-before' | 'hang' | 'rate-limit' | 'maintenance' | 'unavailable' | 'internal-error' | 'slow'

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
  /** By Kraken's asset id ('ZUSD', 'XXBT'), decimals. Its own exact book: every trade moves it. */
  balances: () => Record<string, string>
  /** Every order ever accepted, with what was executed of it. */
  orders: () => readonly PlacedOrder[]
  /** How many AddOrder requests were received at all, executed or not. */
  received: () => number
  /** What the next requests meet; each lasts for `times` requests (default 1) of the call named, 'AddOrder' where none is. */
  meet: (fault: OrderFault, options?: { times?: number; call?: string; delayMs?: number }) => void
  /** What share of an order's volume finds a counterparty at once, in basis points; IOC cancels the rest. */
  setDepth: (bps: number, market?: string) => void
  /** Basis points that an order that takes is worse off than the last price (half spread and impact). */
  setSpread: (bps: number) => void
}

export type OrderSideOptions = {
  key: string
  /** As Kraken gives it: base64. */
  secret: string
  balances?: Record<string, string>
  /** Of the calls that ask; Kraken's for its highest tier where not given. */
  callLimit?: Limit
}

const CALL_LIMIT: Limit = { most: 20, decayPerSecond: 1 }

/** How late a slow request reaches the matching engine: beyond the shortest deadline that Kraken allows. */
const SLOW_MS = 3_000

type Fault = { fault: OrderFault; call: string; left: number; delayMs: number }

export function orderSide(state: ExchangeState, { key, secret, balances = {}, callLimit = CALL_LIMIT }: OrderSideOptions): OrderSide {
  const book = createBook(state, balances)
  const check = accessCheck({ key, secret })
  const counter = decayingCounter(callLimit, state.clock.nowMs)
  const faults: Fault[] = []
  let received = 0
  const serve = (request: RestRequest): RestAnswer => {
    const call = CALLS[request.name]
    if (call === undefined) return { error: ['EGeneral:Unknown method'] }
    book.matchOpen()
    return call({ state, book, form: new URLSearchParams(request.body) })
  }
  return {
    rest: async (request) => {
      if (request.access !== 'private') return undefined
      if (request.name === 'AddOrder') received += 1
      const met = takeFault(faults, request.name)
      const atTheDoor = met && AT_THE_DOOR[met.fault]
      if (atTheDoor !== undefined) return atTheDoor
      const refusal = check(request) ?? (counter.admits(callCost(request.name)) ? undefined : 'EAPI:Rate limit exceeded')
      if (refusal !== undefined) return { error: [refusal] }
      if (met?.fault === 'slow') await wait(met.delayMs)
      const answered = serve(request)
      return met?.fault === 'lose-reply' ? 'drop' : answered
    },
    balances: () => Object.fromEntries([...book.balances].map(([asset, parts]) => [asset, printParts(parts, 10)])),
    orders: () => book.orders.map(placed),
    received: () => received,
    meet: (fault, { times = 1, call = 'AddOrder', delayMs = SLOW_MS } = {}) => void faults.push({ fault, call, left: times, delayMs }),
    setDepth: book.setDepth,
    setSpread: book.setSpread,
  }
}

/** Faults that a request meets before anything is done. */
const AT_THE_DOOR: Readonly<Partial<Record<OrderFault, RestAnswer>>> = {
  'drop-before': 'drop',
  hang: 'hang',
  'rate-limit': { error: ['EAPI:Rate limit exceeded'] },
  maintenance: { error: ['EService:Market in cancel_only mode'] },
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

/** Orders have a counter of their own; histories count twice. */
function callCost(name: string): number {
  if (name === 'AddOrder' || name === 'CancelOrder') return 0
  return name === 'TradesHistory' ? 2 : 1
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
