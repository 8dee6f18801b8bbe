import { costOf, executedOf, type Execution, type Order } from '../orders/book.ts'
import { dividedBy, printParts, type Parts } from '../orders/decimals.ts'
import { COST_PLACES, feeSideOf } from './rules.ts'

type Printed = Record<string, unknown>

/** 'buy 0.10000000 LTCUSD @ limit 50.00'. */
export function describeOrder({ side, volume, market, type, limit }: Order): string {
  const price = limit === undefined ? '' : ` ${printParts(limit, market.priceDecimals)}`
  return `${side} ${printParts(volume, market.lotDecimals)} ${market.altname} @ ${type}${price}`
}

/** Listed open orders have no reason for their state. */
export function printOrder(
  order: Order,
  { withTrades, withReason }: { withTrades: boolean; withReason: boolean },
): Printed {
  const { market, side, type, limit, executions } = order
  const money = (parts: Parts) => printParts(parts, COST_PLACES)
  return {
    refid: null,
    userref: null,
    ...(order.clientOrderId !== undefined && { cl_ord_id: order.clientOrderId }),
    status: order.status,
    opentm: order.openedMs / 1_000,
    starttm: 0,
    expiretm: order.expiresMs === undefined ? 0 : order.expiresMs / 1_000,
    descr: {
      pair: market.altname,
      type: side,
      ordertype: type,
      price: limit === undefined ? '0' : printParts(limit, market.priceDecimals),
      price2: '0',
      leverage: 'none',
      order: describeOrder(order),
      close: '',
    },
    vol: printParts(order.volume, market.lotDecimals),
    vol_exec: printParts(executedOf(order), market.lotDecimals),
    cost: money(costOf(order)),
    fee: money(order.executions.reduce((sum, { fee }) => sum + fee.parts, 0n)),
    price: printParts(averagePrice(order), pricePlaces(order)),
    stopprice: money(0n),
    limitprice: money(0n),
    misc: '',
    oflags: [...(order.isPostOnly ? ['post'] : []), FEE_FLAGS[feeSideOf(order)]].join(),
    ...(withTrades && executions.length > 0 && { trades: executions.map(({ id }) => id) }),
    ...(withReason && { reason: order.reason ?? null }),
    ...(order.closedMs !== undefined && { closetm: order.closedMs / 1_000 }),
  }
}

export function printTrade(
  order: Order,
  { timeMs, price, volume, cost, fee, isMaker }: Execution,
): Printed {
  const money = (parts: Parts) => printParts(parts, COST_PLACES)
  return {
    ordertxid: order.txid,
    postxid: '',
    pair: order.market.id,
    time: timeMs / 1_000,
    type: order.side,
    ordertype: order.type,
    price: printParts(price, pricePlaces(order)),
    cost: money(cost),
    fee: money(fee.parts),
    vol: printParts(volume, order.market.lotDecimals),
    margin: money(0n),
    misc: '',
    maker: isMaker,
  }
}

const FEE_FLAGS = { base: 'fcib', quote: 'fciq' } as const

/**
 * The average price of all executions, rounded for printing: cost is not exactly its product with
 * the volume.
 */
function averagePrice(order: Order): Parts {
  const executed = executedOf(order)
  return executed === 0n
    ? 0n
    : dividedBy({ of: costOf(order), by: executed, places: pricePlaces(order) })
}

/** Executed prices have as many decimals as costs, or as their market if it has more. */
function pricePlaces({ market }: Order): number {
  return Math.max(COST_PLACES, market.priceDecimals)
}
