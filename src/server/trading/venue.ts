import type { Pair } from '#core/market/pair.ts'
import type { Units } from '#core/money/amount.ts'
import type { Fill, Order } from '#core/trading/fill.ts'

/** One order for many bots. The block's id is our own order id: a venue asked twice under one id trades once. */
export type BlockOrder = Order & {
  clientOrderId: string
  pair: Pair
  /** The market's price when the order was sized. */
  price: Units
}

/** Port: where orders are executed. */
export type Venue = {
  name: string
  /** Executes the order, or answers what became of it where it was executed before. */
  execute: (order: BlockOrder) => Promise<Fill>
}
