import { costOf, executedOf, feesOf, heldBy, type Execution, type Order } from '../orders/book.ts'
import { dividedBy, printParts, type Parts } from '../orders/decimals.ts'
import { microseconds, short, uuidOf } from './answer.ts'
import { COINBASE_RULES } from './rules.ts'

type Printed = Record<string, unknown>

const USER = uuidOf('the user of the account')

/** Coinbase's word for the state of an order. */
const STATUSES: Readonly<Record<Order['status'], string>> = {
  open: 'OPEN',
  closed: 'FILLED',
  canceled: 'CANCELLED',
  expired: 'EXPIRED',
}

const TIMES: Readonly<Record<Order['timeInForce'], string>> = {
  GTC: 'GOOD_UNTIL_CANCELLED',
  GTD: 'GOOD_UNTIL_DATE_TIME',
  IOC: 'IMMEDIATE_OR_CANCEL',
}

/** The form in which the order was asked for. */
export function configurationOf(order: Order): Printed {
  const { type, timeInForce, isPostOnly, expiresMs, volume, limit } = order
  const base_size = short(volume)
  if (type === 'market') return { market_market_ioc: { base_size } }
  const sizes = { base_size, limit_price: short(limit ?? 0n) }
  if (timeInForce === 'IOC') return { sor_limit_ioc: sizes }
  if (timeInForce === 'GTC') return { limit_limit_gtc: { ...sizes, post_only: isPostOnly } }
  const end_time = new Date(expiresMs ?? 0).toISOString()
  return { limit_limit_gtd: { ...sizes, end_time, post_only: isPostOnly } }
}

export function printOrder(order: Order): Printed {
  const { executions, volume, openedMs } = order
  const [executed, cost, fees] = [executedOf(order), costOf(order), feeOf(order)]
  const last = executions.at(-1)
  return {
    order_id: order.txid,
    product_id: order.market.id,
    user_id: USER,
    order_configuration: configurationOf(order),
    side: order.side.toUpperCase(),
    client_order_id: order.clientOrderId,
    status: STATUSES[order.status],
    time_in_force: TIMES[order.timeInForce],
    created_time: microseconds(openedMs),
    completion_percentage: percentage(executed, volume),
    filled_size: short(executed),
    average_filled_price: average(cost, executed),
    fee: '',
    number_of_fills: String(executions.length),
    filled_value: short(cost),
    pending_cancel: false,
    size_in_quote: false,
    total_fees: short(fees),
    size_inclusive_of_fees: false,
    total_value_after_fees: short(order.side === 'buy' ? cost + fees : cost - fees),
    trigger_status: 'INVALID_ORDER_TYPE',
    order_type: order.type.toUpperCase(),
    reject_reason: 'REJECT_REASON_UNSPECIFIED',
    settled: order.status !== 'open',
    product_type: 'SPOT',
    reject_message: '',
    cancel_message: order.status === 'canceled' ? (order.reason ?? '') : '',
    order_placement_source: 'RETAIL_ADVANCED',
    outstanding_hold_amount: order.status === 'open' ? short(reservedBy(order)) : '0',
    is_liquidation: false,
    last_fill_time: last === undefined ? null : new Date(last.timeMs).toISOString(),
    edit_history: [],
    leverage: '',
    margin_type: 'UNKNOWN_MARGIN_TYPE',
  }
}

export function printFill(order: Order, trade: Execution): Printed {
  return {
    entry_id: uuidOf('entry', trade.id).replaceAll('-', '').padEnd(64, '0'),
    trade_id: trade.id,
    order_id: order.txid,
    trade_time: new Date(trade.timeMs).toISOString(),
    trade_type: 'FILL',
    price: short(trade.price),
    size: short(trade.volume),
    commission: short(trade.fee.parts),
    product_id: order.market.id,
    sequence_timestamp: microseconds(trade.timeMs),
    liquidity_indicator: trade.isMaker ? 'MAKER' : 'TAKER',
    size_in_quote: false,
    user_id: USER,
    side: order.side.toUpperCase(),
  }
}

/** Since September 2024, responses have had no order id and no reason beside `success`. */
export function printPlaced(order: Order): Printed {
  return {
    success: true,
    success_response: {
      order_id: order.txid,
      product_id: order.market.id,
      side: order.side.toUpperCase(),
      client_order_id: order.clientOrderId,
      attached_order_id: '',
    },
    order_configuration: configurationOf(order),
  }
}

export function printPreview(order: Order): Printed {
  const cost = costOf(order)
  return {
    order_total: short(cost + feeOf(order)),
    commission_total: short(feeOf(order)),
    errs: [],
    warning: [],
    quote_size: short(cost),
    base_size: short(order.volume),
    best_bid: order.market.lastPrice,
    best_ask: order.market.lastPrice,
    is_max: false,
    order_margin_total: '0',
    leverage: '0',
    long_leverage: '0',
    short_leverage: '0',
    slippage: '0',
    preview_id: uuidOf('preview', order.txid),
    current_liquidation_buffer: '',
    projected_liquidation_buffer: '',
    max_leverage: '',
  }
}

/**
 * The reserved amount in the asset that the order spends: money for a purchase, coins for a sale.
 */
function reservedBy(order: Order): Parts {
  const { base, quote } = order.market
  const asset = order.side === 'buy' ? quote : base
  return heldBy(order, { asset, rules: COINBASE_RULES })
}

/** All fees are in the money of the market. */
const feeOf = (order: Order): Parts => feesOf(order).get(order.market.quote) ?? 0n

function percentage(executed: Parts, volume: Parts): string {
  if (executed === 0n) return '0'
  return printParts(dividedBy({ of: executed * 100n, by: volume, places: 2 }), 2)
}

function average(cost: Parts, executed: Parts): string {
  return executed === 0n ? '0' : short(dividedBy({ of: cost, by: executed, places: 10 }))
}
