import type { ExchangeMarket, ExchangeState } from '../exchange-state.ts'
import { partsOf, shareOf, times, worse, type Parts } from './decimals.ts'

export type Fee = { asset: string; parts: Parts }

export type Execution = {
  id: string
  timeMs: number
  price: Parts
  volume: Parts
  cost: Parts
  fee: Fee
  isMaker: boolean
}

/** The order of a request, checked against the market's rules. */
export type OrderRequest = {
  market: ExchangeMarket
  side: 'buy' | 'sell'
  type: 'market' | 'limit'
  volume: Parts
  /** Price of a limit order. */
  limit: Parts | undefined
  timeInForce: 'GTC' | 'IOC' | 'GTD'
  /** End of an order good until a date. */
  expiresMs: number | undefined
  isPostOnly: boolean
  clientOrderId: string | undefined
  /** Whether the fee is wanted in the coin or in the money, where an order may say so. */
  feeIn?: 'base' | 'quote'
}

export type Order = OrderRequest & {
  txid: string
  openedMs: number
  closedMs: number | undefined
  status: 'open' | 'closed' | 'canceled' | 'expired'
  reason: string | undefined
  executions: Execution[]
  /**
   * The last price at which the order found no more volume. It trades again once the market has
   * moved.
   */
  metPrice: string
}

/** The differences between the books of the exchanges. */
export type BookRules = {
  /** Decimals of costs and fees. */
  costPlaces: number
  /** Whether a purchase reserves its fee beside its cost. */
  reservesFee: boolean
  newId: (kind: 'order' | 'trade') => string
  /** The fee of a trade; `free` is what is left of an asset. */
  feeOf: (
    trade: Pick<Execution, 'cost' | 'volume'> & Pick<Order, 'market' | 'side' | 'feeIn'>,
    free: (asset: string) => Parts,
  ) => Fee
}

export type PlaceRefusal = 'post-only' | 'insufficient-funds'

/** Price difference between the first and the second level of the order book. */
const SECOND_LEVEL_BPS = 5

export type Book = {
  rules: BookRules
  balances: Map<string, Parts>
  orders: Order[]
  /** The amount of an asset reserved by open orders. */
  held: (asset: string) => Parts
  /** Executes immediately what finds a counterparty. Returns the order, or why it is refused. */
  place: (request: OrderRequest, options: { isValidation: boolean }) => Order | PlaceRefusal
  cancel: (order: Order, reason: string) => void
  /**
   * Called when time or market moved: open orders expire, or trade if the market reached their
   * limit.
   */
  moveOn: () => void
  setDepth: (bps: number, market?: string) => void
  setSpread: (bps: number) => void
}

export function createBook(
  state: ExchangeState,
  { balances: start, rules }: { balances: Record<string, string>; rules: BookRules },
): Book {
  const balances = new Map(Object.entries(start).map(([asset, amount]) => [asset, partsOf(amount)]))
  const orders: Order[] = []
  const depths = new Map<string, number>()
  let [depthBps, spreadBps] = [10_000, 0]
  const held = (asset: string): Parts =>
    orders.reduce(
      (sum, order) => sum + (order.status === 'open' ? heldBy(order, { asset, rules }) : 0n),
      0n,
    )
  const free = (asset: string): Parts => (balances.get(asset) ?? 0n) - held(asset)
  return {
    rules,
    balances,
    orders,
    held,
    place: (request, { isValidation }) => {
      const order = newOrder(request, { rules, nowMs: state.clock.nowMs() })
      const depth = depths.get(request.market.symbol) ?? depthBps
      const matches = matchesOf(order, { depthBps: depth, spreadBps })
      if (request.isPostOnly && matches.length > 0) return 'post-only'
      const asset = request.side === 'buy' ? request.market.quote : request.market.base
      if (needs(order, { matches, rules, free }) > free(asset)) return 'insufficient-funds'
      if (isValidation) return order
      orders.push(order)
      settle(order, { matches, book: { rules, balances, free }, nowMs: order.openedMs })
      if (order.status === 'open' && order.timeInForce === 'IOC')
        close(order, { status: 'canceled', reason: 'Immediate or cancel', nowMs: order.openedMs })
      return order
    },
    cancel: (order, reason) =>
      close(order, { status: 'canceled', reason, nowMs: state.clock.nowMs() }),
    moveOn: () => {
      const nowMs = state.clock.nowMs()
      for (const order of orders)
        if (order.status === 'open') moveOn(order, { book: { rules, balances, free }, nowMs })
    },
    setDepth: (bps, market) =>
      market === undefined ? (depthBps = bps) : void depths.set(market, bps),
    setSpread: (bps) => (spreadBps = bps),
  }
}

export function executedOf({ executions }: Order): Parts {
  return executions.reduce((sum, { volume }) => sum + volume, 0n)
}

export function costOf({ executions }: Order): Parts {
  return executions.reduce((sum, { cost }) => sum + cost, 0n)
}

/** The fees of an order by asset. */
export function feesOf({ executions }: Order): Map<string, Parts> {
  const fees = new Map<string, Parts>()
  for (const { fee } of executions) fees.set(fee.asset, (fees.get(fee.asset) ?? 0n) + fee.parts)
  return fees
}

/** The fee at the market's rate, in the money of the trade or in its coin. */
export function rateOf({ takerFeePercent }: ExchangeMarket): Parts {
  return partsOf(String(takerFeePercent)) / 100n
}

type Match = Pick<Execution, 'volume' | 'price' | 'isMaker'>
type Funds = Pick<Book, 'rules' | 'balances'> & { free: (asset: string) => Parts }

function settle(
  order: Order,
  { matches, book, nowMs }: { matches: Match[]; book: Funds; nowMs: number },
): void {
  const { market, side } = order
  const { rules, balances, free } = book
  const add = (asset: string, parts: Parts): void =>
    void balances.set(asset, (balances.get(asset) ?? 0n) + parts)
  for (const match of matches) {
    const cost = times({ of: match.volume, by: match.price, places: rules.costPlaces })
    const fee = rules.feeOf({ ...order, cost, volume: match.volume }, free)
    add(market.base, side === 'buy' ? match.volume : -match.volume)
    add(market.quote, side === 'buy' ? -cost : cost)
    add(fee.asset, -fee.parts)
    order.executions.push({ ...match, id: rules.newId('trade'), timeMs: nowMs, cost, fee })
  }
  if (executedOf(order) === order.volume)
    close(order, { status: 'closed', reason: undefined, nowMs })
}

function close(
  order: Order,
  {
    nowMs,
    ...how
  }: { status: 'closed' | 'canceled' | 'expired'; reason: string | undefined; nowMs: number },
): void {
  Object.assign(order, how, { closedMs: nowMs })
}

function moveOn(order: Order, { book, nowMs }: { book: Funds; nowMs: number }): void {
  if (order.expiresMs !== undefined && order.expiresMs <= nowMs)
    return close(order, { status: 'expired', reason: 'Order expired', nowMs })
  const rest = {
    volume: order.volume - executedOf(order),
    price: order.limit ?? 0n,
    isMaker: true,
  }
  if (isReached(order)) settle(order, { matches: [rest], book, nowMs })
  order.metPrice = order.market.lastPrice
}

function newOrder(
  request: OrderRequest,
  { rules, nowMs }: { rules: BookRules; nowMs: number },
): Order {
  return {
    ...request,
    status: 'open',
    closedMs: undefined,
    reason: undefined,
    executions: [],
    openedMs: nowMs,
    txid: rules.newId('order'),
    metPrice: request.market.lastPrice,
  }
}

/**
 * The immediate execution: a share at the best price, and the rest of a market order at the next
 * level.
 */
function matchesOf(
  order: Order,
  { depthBps, spreadBps }: { depthBps: number; spreadBps: number },
): Match[] {
  const { market, side, limit, volume } = order
  const places = market.priceDecimals
  const touch = worse(partsOf(market.lastPrice), { side, bps: spreadBps, places })
  if (limit !== undefined && (side === 'buy' ? limit < touch : limit > touch)) return []
  const first = shareOf(volume, { bps: depthBps, places: market.lotDecimals })
  const second = order.type === 'market' ? volume - first : 0n
  const levels = [
    { volume: first, price: touch, isMaker: false },
    {
      volume: second,
      price: worse(touch, { side, bps: SECOND_LEVEL_BPS, places }),
      isMaker: false,
    },
  ]
  return levels.filter((level) => level.volume > 0n)
}

/** An open order is at the front of its queue: a market that moved to its limit fills it there. */
function isReached({ market, side, limit = 0n, metPrice }: Order): boolean {
  const last = partsOf(market.lastPrice)
  return metPrice !== market.lastPrice && (side === 'buy' ? last <= limit : last >= limit)
}

/** The free balance that an order requires: for immediate trades, and for what it reserves. */
function needs(
  order: Order,
  { matches, rules, free }: { matches: Match[]; rules: BookRules; free: (asset: string) => Parts },
): Parts {
  const { market, side, volume } = order
  if (side === 'sell') return volume
  const atOnce = matches.reduce((sum, match) => {
    const cost = times({ of: match.volume, by: match.price, places: rules.costPlaces })
    const fee = rules.feeOf({ ...order, cost, volume: match.volume }, free)
    return sum + cost + (fee.asset === market.quote ? fee.parts : 0n)
  }, 0n)
  const taken = matches.reduce((sum, match) => sum + match.volume, 0n)
  return atOnce + reservedFor(order, { open: volume - taken, rules })
}

/** The amount of an asset that an open order reserves. */
export function heldBy(order: Order, { asset, rules }: { asset: string; rules: BookRules }): Parts {
  const { market, side, volume } = order
  const open = volume - executedOf(order)
  if (side === 'sell') return asset === market.base ? open : 0n
  return asset === market.quote ? reservedFor(order, { open, rules }) : 0n
}

/** The money that the open rest of a purchase reserves. */
function reservedFor(
  { market, limit }: Order,
  { open, rules }: { open: Parts; rules: BookRules },
): Parts {
  if (limit === undefined) return 0n
  const places = rules.costPlaces
  const cost = times({ of: open, by: limit, places })
  return cost + (rules.reservesFee ? times({ of: cost, by: rateOf(market), places }) : 0n)
}
