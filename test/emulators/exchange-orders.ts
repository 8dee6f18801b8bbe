import { setTimeout as wait } from 'node:timers/promises'
import type { AccountOptions, Dialect, DoorFault } from './exchange-dialect.ts'
import { DIALECTS } from './exchange-dialects.ts'
import type { ExchangeSide, RestAnswer, RestRequest } from './exchange-side.ts'
import type { ExchangeState } from './exchange-state.ts'
import { costOf, createBook, executedOf, feesOf, type Book, type Order } from './orders/book.ts'
import { printParts } from './orders/decimals.ts'

/**
 * Faults of a request. 'lose-reply' executes it and closes the connection, 'drop-before' closes the
 * connection before executing, 'hang' does nothing and never answers, 'slow' queues it: it is
 * executed late, even if nobody waits for the response any more.
 */
export type OrderFault = DoorFault | 'lose-reply' | 'slow'

export type PlacedOrder = {
  txid: string
  clientOrderId: string
  pair: string
  side: 'buy' | 'sell'
  volume: string
  executed: string
  cost: string
  /** The fee in the market's money; fees in other assets are in `fees`. */
  fee: string
  fees: Record<string, string>
  status: 'open' | 'closed' | 'canceled' | 'expired'
  reason?: string
}

type FaultOptions = { times?: number; call?: string }

/** Orders and balances of one account at the exchange. */
export type OrderSide = ExchangeSide & {
  /**
   * Balances as decimals, by the exchange's asset id ('ZUSD', 'XXBT'). An exact book of its own,
   * changed by every trade.
   */
  balances: () => Record<string, string>
  /** Every accepted order with its executions. */
  orders: () => readonly PlacedOrder[]
  /** Number of orders received, executed or not. */
  received: () => number
  /**
   * Faults for the next requests; each lasts for `times` requests (default 1) of the given call
   * (default: placing an order).
   */
  meet: (fault: OrderFault, options?: FaultOptions & { delayMs?: number }) => void
  /**
   * Answers the next requests with a documented refusal: 'EOrder:Orders limit exceeded', '-1015',
   * '-2010 Market is closed.', 'INVALID_NO_LIQUIDITY'. `isExecuted`: an answer that leaves open
   * what happened, to an order that was executed.
   */
  refuse: (code: string, options?: FaultOptions & { isExecuted?: boolean }) => void
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

export type OrderSideOptions = AccountOptions

/**
 * Delay of a slow request at the matching engine: beyond the shortest deadline that Kraken allows.
 */
const SLOW_MS = 3_000

/** The answer sent instead of the request's own, before or after its execution. */
type Fault = {
  call: string
  left: number
  delayMs: number
  before?: RestAnswer
  after?: RestAnswer
}

/**
 * One account at the exchange: keys, orders, balances, histories, as in its REST API
 * (docs/emulators.md lists the comparisons).
 */
export function orderSide(state: ExchangeState, given: OrderSideOptions): OrderSide {
  // A copy, because its owner can change the options later.
  const options = { ...given }
  const dialect = DIALECTS[state.name]
  const { rules } = dialect
  const book = createBook(state, {
    balances: options.balances ?? {},
    rules: typeof rules === 'function' ? rules({ state, options }) : rules,
  })
  const admit = dialect.admission({ state, book, options })
  const faults: Fault[] = []
  let received = 0
  const add = (
    { call = dialect.placing, times = 1 }: FaultOptions,
    fault: Pick<Fault, 'before' | 'after'> & { delayMs?: number },
  ): void => void faults.push({ call, left: times, delayMs: 0, ...fault })
  return {
    rest: async (request) => {
      if (request.access !== 'private') return undefined
      if (request.name === dialect.placing) received += 1
      const fault = takeFault(faults, request.name)
      if (fault?.before !== undefined) return fault.before
      const answered = await serve({ state, book, options, request, dialect, admit, fault })
      return fault?.after ?? answered
    },
    balances: () => {
      book.moveOn()
      return Object.fromEntries(
        [...book.balances].map(([asset, parts]) => [asset, printParts(parts, ASSET_PLACES)]),
      )
    },
    orders: () => {
      book.moveOn()
      return book.orders.map((order) => placed(order, book))
    },
    received: () => received,
    meet: (fault, { delayMs = SLOW_MS, ...whom } = {}) => {
      if (fault === 'slow') add(whom, { delayMs })
      else if (fault === 'lose-reply') add(whom, { after: 'drop' })
      else add(whom, { before: dialect.atTheDoor[fault] })
    },
    refuse: (code, { isExecuted = false, ...whom } = {}) =>
      add(whom, { [isExecuted ? 'after' : 'before']: dialect.refusal(code) }),
    setDepth: book.setDepth,
    setSpread: book.setSpread,
  }
}

const ASSET_PLACES = 10

type Serving = {
  state: ExchangeState
  book: Book
  options: AccountOptions
  request: RestRequest
  dialect: Dialect
  admit: (request: RestRequest) => RestAnswer | undefined
  fault: Fault | undefined
}

async function serve({
  dialect,
  admit,
  fault,
  ...asked
}: Serving): Promise<RestAnswer | undefined> {
  const refused = admit(asked.request)
  if (refused !== undefined) return refused
  if (fault !== undefined && fault.delayMs > 0) await wait(fault.delayMs)
  asked.book.moveOn()
  return dialect.account(asked)
}

function takeFault(faults: Fault[], call: string): Fault | undefined {
  const index = faults.findIndex((each) => each.call === call)
  const found = faults[index]
  if (found === undefined) return undefined
  found.left -= 1
  if (found.left <= 0) faults.splice(index, 1)
  return found
}

function placed(order: Order, { rules: { costPlaces } }: Book): PlacedOrder {
  const { txid, clientOrderId = '', market, side, volume, status, reason } = order
  const fees = feesOf(order)
  return {
    txid,
    clientOrderId,
    pair: market.symbol,
    side,
    volume: printParts(volume, market.lotDecimals),
    executed: printParts(executedOf(order), market.lotDecimals),
    cost: printParts(costOf(order), costPlaces),
    fee: printParts(fees.get(market.quote) ?? 0n, costPlaces),
    fees: Object.fromEntries(
      [...fees].map(([asset, parts]) => [asset, printParts(parts, ASSET_PLACES)]),
    ),
    status,
    ...(reason !== undefined && { reason }),
  }
}
