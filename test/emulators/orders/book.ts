import { randomInt } from 'node:crypto'
import type { ExchangeMarket, ExchangeState } from '../exchange-state.ts'
import { partsOf, shareOf, times, worse, type Parts } from './decimals.ts'

export type Execution = {
  id: string
  timeMs: number
  price: Parts
  volume: Parts
  cost: Parts
  fee: Parts
  isMaker: boolean
}

/** The order of an AddOrder request, checked against the market's rules. */
export type OrderRequest = {
  market: ExchangeMarket
  side: 'buy' | 'sell'
  type: 'market' | 'limit'
  volume: Parts
  /** Of a limit order. */
  limit: Parts | undefined
  timeInForce: 'GTC' | 'IOC' | 'GTD'
  /** Of an order good until a date. */
  expiresMs: number | undefined
  isPostOnly: boolean
  clientOrderId: string | undefined
}

export type Order = OrderRequest & {
  txid: string
  openedMs: number
  closedMs: number | undefined
  status: 'open' | 'closed' | 'canceled' | 'expired'
  reason: string | undefined
  executions: Execution[]
  /** The last price at which it found no more volume: it trades again once the market has moved. */
  metPrice: string
}

/** Decimals of costs and fees: `cost_decimals` of AssetPairs. */
export const COST_PLACES = 5

/** How much worse than the first the second level of the order book is. */
const SECOND_LEVEL_BPS = 5

export type Book = {
  balances: Map<string, Parts>
  orders: Order[]
  /** The amount of an asset reserved by open orders. */
  held: (asset: string) => Parts
  /**
   * Executes immediately what finds a counterparty. Returns the order, or the reason of its
   * refusal.
   */
  place: (request: OrderRequest, options: { isValidation: boolean }) => Order | string
  cancel: (order: Order, reason: string) => void
  /**
   * Called when time or market moved: open orders expire, or trade if the market reached their
   * limit.
   */
  moveOn: () => void
  setDepth: (bps: number, market?: string) => void
  setSpread: (bps: number) => void
}

export function createBook(state: ExchangeState, start: Record<string, string>): Book {
  const balances = new Map(Object.entries(start).map(([asset, amount]) => [asset, partsOf(amount)]))
  const orders: Order[] = []
  const depths = new Map<string, number>()
  let [depthBps, spreadBps] = [10_000, 0]
  const held = (asset: string): Parts =>
    orders.reduce((sum, order) => sum + (order.status === 'open' ? heldBy(order, asset) : 0n), 0n)
  const add = (asset: string, parts: Parts): void =>
    void balances.set(asset, (balances.get(asset) ?? 0n) + parts)
  const execute = (order: Order, executions: Execution[]): void => {
    for (const { cost, fee, volume } of executions) {
      add(order.market.base, order.side === 'buy' ? volume : -volume)
      add(order.market.quote, order.side === 'buy' ? -(cost + fee) : cost - fee)
    }
    order.executions.push(...executions)
    if (executedOf(order) === order.volume) close(order, { status: 'closed', reason: undefined })
  }
  const close = (
    order: Order,
    how: { status: 'closed' | 'canceled' | 'expired'; reason: string | undefined },
  ): void => void Object.assign(order, how, { closedMs: state.clock.nowMs() })
  const moveOn = (order: Order): void => {
    const nowMs = state.clock.nowMs()
    if (order.expiresMs !== undefined && order.expiresMs <= nowMs)
      return close(order, { status: 'expired', reason: 'Order expired' })
    const match = {
      volume: order.volume - executedOf(order),
      price: order.limit ?? 0n,
      timeMs: nowMs,
      isMaker: true,
    }
    if (isReached(order)) execute(order, [execution(order.market, match)])
    order.metPrice = order.market.lastPrice
  }
  return {
    balances,
    orders,
    held,
    place: (request, { isValidation }) => {
      const order = newOrder(request, state.clock.nowMs())
      const executions = executionsOf(order, {
        depthBps: depths.get(request.market.symbol) ?? depthBps,
        spreadBps,
      })
      if (request.isPostOnly && executions.length > 0) return 'EOrder:Post only order'
      const asset = request.side === 'buy' ? request.market.quote : request.market.base
      if (needs(order, executions) > (balances.get(asset) ?? 0n) - held(asset))
        return 'EOrder:Insufficient funds'
      if (isValidation) return order
      orders.push(order)
      execute(order, executions)
      if (order.status === 'open' && order.timeInForce === 'IOC')
        close(order, { status: 'canceled', reason: 'Immediate or cancel' })
      return order
    },
    cancel: (order, reason) => close(order, { status: 'canceled', reason }),
    moveOn: () => {
      for (const order of orders) if (order.status === 'open') moveOn(order)
    },
    setDepth: (bps, market) =>
      market === undefined ? (depthBps = bps) : void depths.set(market, bps),
    setSpread: (bps) => (spreadBps = bps),
  }
}

export function executedOf({ executions }: Order): Parts {
  return executions.reduce((sum, { volume }) => sum + volume, 0n)
}

function newOrder(request: OrderRequest, nowMs: number): Order {
  const open = {
    status: 'open',
    closedMs: undefined,
    reason: undefined,
    executions: [],
    openedMs: nowMs,
  } as const
  return {
    ...request,
    ...open,
    executions: [],
    txid: newId('O'),
    metPrice: request.market.lastPrice,
  }
}

/**
 * The immediate execution: a share at the best price, and the rest of a market order at the next
 * level.
 */
function executionsOf(
  order: Order,
  { depthBps, spreadBps }: { depthBps: number; spreadBps: number },
): Execution[] {
  const { market, side, limit, volume, openedMs } = order
  const places = market.priceDecimals
  const touch = worse(partsOf(market.lastPrice), { side, bps: spreadBps, places })
  if (limit !== undefined && (side === 'buy' ? limit < touch : limit > touch)) return []
  const first = shareOf(volume, { bps: depthBps, places: market.lotDecimals })
  const second = order.type === 'market' ? volume - first : 0n
  const levels = [
    { volume: first, price: touch },
    { volume: second, price: worse(touch, { side, bps: SECOND_LEVEL_BPS, places }) },
  ]
  return levels
    .filter((level) => level.volume > 0n)
    .map((level) => execution(market, { ...level, timeMs: openedMs, isMaker: false }))
}

/** An open order is at the front of its queue: a market that moved to its limit fills it there. */
function isReached({ market, side, limit = 0n, metPrice }: Order): boolean {
  const last = partsOf(market.lastPrice)
  return metPrice !== market.lastPrice && (side === 'buy' ? last <= limit : last >= limit)
}

type Match = Pick<Execution, 'volume' | 'price' | 'timeMs' | 'isMaker'>

function execution(market: ExchangeMarket, { volume, price, timeMs, isMaker }: Match): Execution {
  const cost = times({ of: volume, by: price, places: COST_PLACES })
  return { id: newId('T'), timeMs, price, volume, cost, fee: feeOf(market, cost), isMaker }
}

function feeOf(market: ExchangeMarket, cost: Parts): Parts {
  return times({
    of: cost,
    by: partsOf(String(market.takerFeePercent)) / 100n,
    places: COST_PLACES,
  })
}

/** The free balance that an order requires: for immediate trades, and for what it reserves. */
function needs(order: Order, executions: Execution[]): Parts {
  if (order.side === 'sell') return order.volume
  const atOnce = executions.reduce((sum, { cost, fee }) => sum + cost + fee, 0n)
  return atOnce + heldBy({ ...order, executions }, order.market.quote)
}

function heldBy(order: Order, asset: string): Parts {
  const { market, side, limit } = order
  const open = order.volume - executedOf(order)
  if (side === 'sell') return asset === market.base ? open : 0n
  if (asset !== market.quote || limit === undefined) return 0n
  const cost = times({ of: open, by: limit, places: COST_PLACES })
  return cost + feeOf(market, cost)
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** 'OQCLML-BW3P3-BUCMWZ': an order's begins with O, a trade's with T. */
function newId(kind: 'O' | 'T'): string {
  const letters = (count: number) =>
    Array.from({ length: count }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
  return `${kind}${letters(5)}-${letters(5)}-${letters(6)}`
}
