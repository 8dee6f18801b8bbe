import { costOf, executedOf, type Execution, type Order } from '../orders/book.ts'
import { eight } from './answer.ts'

type Printed = Record<string, unknown>

/** Binance's word for the state of an order. */
function statusOf(order: Order): string {
  if (order.status === 'closed') return 'FILLED'
  if (order.status === 'open') return executedOf(order) > 0n ? 'PARTIALLY_FILLED' : 'NEW'
  return isUnfilled(order) ? 'EXPIRED' : 'CANCELED'
}

/** An immediate order whose rest found no counterparty. */
function isUnfilled({ status, timeInForce }: Order): boolean {
  return status === 'canceled' && timeInForce === 'IOC'
}

function named({ market, txid }: Order): Printed {
  return { symbol: market.id, orderId: Number(txid), orderListId: -1 }
}

function amounts(order: Order): Printed {
  return {
    price: eight(order.limit ?? 0n),
    origQty: eight(order.volume),
    executedQty: eight(executedOf(order)),
    cummulativeQuoteQty: eight(costOf(order)),
    status: statusOf(order),
    timeInForce: order.type === 'market' ? 'GTC' : order.timeInForce,
    type: typeOf(order),
    side: order.side.toUpperCase(),
  }
}

function typeOf({ type, isPostOnly }: Order): string {
  if (type === 'market') return 'MARKET'
  return isPostOnly ? 'LIMIT_MAKER' : 'LIMIT'
}

const ORIGINAL = { origQuoteOrderQty: '0.00000000' }
const PREVENTION = { selfTradePreventionMode: 'EXPIRE_MAKER' }
const reasonOf = (order: Order): Printed =>
  isUnfilled(order) ? { expiryReason: 'UNFILLED_IOC_QUANTITY_EXPIRED' } : {}

/** An order as lists and look-ups print it: without any commission. */
export function printOrder(order: Order): Printed {
  const { openedMs, closedMs, executions } = order
  return {
    ...named(order),
    clientOrderId: order.clientOrderId,
    ...amounts(order),
    stopPrice: '0.00000000',
    icebergQty: '0.00000000',
    time: Math.floor(openedMs),
    updateTime: Math.floor(closedMs ?? executions.at(-1)?.timeMs ?? openedMs),
    isWorking: true,
    workingTime: Math.floor(openedMs),
    ...ORIGINAL,
    ...PREVENTION,
    ...reasonOf(order),
  }
}

/** The answer to a new order: an acknowledgment, its result, or its trades too. */
export function printPlaced(order: Order, kind: string): Printed {
  const acknowledged = {
    ...named(order),
    clientOrderId: order.clientOrderId,
    transactTime: Math.floor(order.openedMs),
  }
  if (kind === 'ACK') return acknowledged
  const result = {
    ...acknowledged,
    ...ORIGINAL,
    ...amounts(order),
    workingTime: Math.floor(order.openedMs),
    ...PREVENTION,
    ...reasonOf(order),
  }
  return kind === 'RESULT' ? result : { ...result, fills: order.executions.map(printFill) }
}

function printFill({ id, price, volume, fee }: Execution): Printed {
  return {
    price: eight(price),
    qty: eight(volume),
    commission: eight(fee.parts),
    commissionAsset: fee.asset,
    tradeId: Number(id),
  }
}

export function printCanceled(order: Order, cancelId: string): Printed {
  return {
    ...named(order),
    origClientOrderId: order.clientOrderId,
    clientOrderId: cancelId,
    transactTime: Math.floor(order.closedMs ?? order.openedMs),
    ...ORIGINAL,
    ...amounts(order),
    ...PREVENTION,
  }
}

export function printTrade(order: Order, trade: Execution): Printed {
  return {
    symbol: order.market.id,
    id: Number(trade.id),
    orderId: Number(order.txid),
    orderListId: -1,
    price: eight(trade.price),
    qty: eight(trade.volume),
    quoteQty: eight(trade.cost),
    commission: eight(trade.fee.parts),
    commissionAsset: trade.fee.asset,
    time: Math.floor(trade.timeMs),
    isBuyer: order.side === 'buy',
    isMaker: trade.isMaker,
    isBestMatch: true,
  }
}
