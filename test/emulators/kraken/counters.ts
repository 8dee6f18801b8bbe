import type { ExchangeState } from '../exchange-state.ts'
import type { Book } from '../orders/book.ts'

/** A counter that rises with requests and decays with time. */
export type Limit = { most: number; decayPerSecond: number }

export type Limits = {
  /** Limit of read calls, per key. */
  calls: Limit
  /** Limit of orders and cancellations, per pair. */
  orders: Limit
}

/** The limits of Kraken's highest tier. */
export const PRO_LIMITS: Limits = {
  calls: { most: 20, decayPerSecond: 1 },
  orders: { most: 180, decayPerSecond: 3.75 },
}

/** Counts a request; returns the refusal if it exceeds the limit. */
export type RateCheck = (name: string, form: URLSearchParams) => string | undefined

export function rateCheck(state: ExchangeState, book: Book, limits: Limits): RateCheck {
  const calls = decayingCounter(limits.calls, state.clock.nowMs)
  const byPair = new Map<string, Counter>()
  const countOrder = (pair: string, cost: number): string | undefined => {
    const counter = byPair.get(pair) ?? decayingCounter(limits.orders, state.clock.nowMs)
    byPair.set(pair, counter)
    return counter.admits(cost) ? undefined : 'EOrder:Rate limit exceeded'
  }
  return (name, form) => {
    if (name === 'AddOrder') return countOrder(form.get('pair') ?? '', 1)
    if (name !== 'CancelOrder')
      return calls.admits(HISTORIES.includes(name) ? 2 : 1) ? undefined : 'EAPI:Rate limit exceeded'
    const open = book.orders.filter(({ status }) => status === 'open')
    const order = open.find(
      ({ txid, clientOrderId }) =>
        txid === form.get('txid') || clientOrderId === form.get('cl_ord_id'),
    )
    return (
      order && countOrder(order.market.id, cancellationCost(state.clock.nowMs() - order.openedMs))
    )
  }
}

const HISTORIES = ['TradesHistory', 'QueryTrades']

/** Canceling an order costs more the sooner it happens: [within seconds, cost]. */
const CANCELLATION_COSTS = [
  [5, 8],
  [10, 6],
  [15, 5],
  [45, 4],
  [90, 2],
  [300, 1],
] as const

function cancellationCost(ageMs: number): number {
  return CANCELLATION_COSTS.find(([withinSeconds]) => ageMs < withinSeconds * 1_000)?.[1] ?? 0
}

type Counter = { admits: (cost: number) => boolean }

/** Refused requests count too, up to the limit, so repeated requests stay refused. */
function decayingCounter({ most, decayPerSecond }: Limit, nowMs: () => number): Counter {
  let [count, countedMs] = [0, nowMs()]
  return {
    admits: (cost) => {
      const passedMs = Math.max(0, nowMs() - countedMs)
      countedMs = nowMs()
      count = Math.max(0, count - (passedMs / 1_000) * decayPerSecond) + cost
      const isWithin = count <= most
      count = Math.min(count, most + 1)
      return isWithin
    },
  }
}
