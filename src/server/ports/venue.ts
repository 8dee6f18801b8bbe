import type { Pair } from '#core/market/pair.ts'
import type { Units } from '#core/money/amount.ts'
import type { Asset } from '#core/money/asset.ts'
import type { Fill, Order } from '#core/trading/fill.ts'

/** One order for many bots. The block's id is our own order id: a venue asked twice under one id trades once. */
export type BlockOrder = Order & {
  clientOrderId: string
  pair: Pair
  /** The market's price when the order was sized. */
  price: Units
}

/** `isFullyFilled`: as much as can be traded at all was; else the rest is planned anew. A fill may be empty. */
export type VenueFill = Fill & { isFullyFilled: boolean }

/** Port: where orders are executed. */
export type Venue = {
  name: string
  /** Whether an order is large enough for the venue, and its market open. */
  accepts: (order: Omit<BlockOrder, 'clientOrderId'>) => Promise<'yes' | 'too-small' | 'closed'>
  /**
   * Executes the order, or answers what became of it where it was executed before. Throws where nobody knows yet: asked again, it looks
   * the order up and never sends it blindly. `epoch`: whoever lost the lead sends nothing. `isResumed`: the price
   * is of an earlier moment, so an order that was not sent yet is not sent any more.
   */
  execute: (order: BlockOrder, lead: { epoch: bigint; isResumed?: boolean }) => Promise<VenueFill>
  /** What lies there by asset, in a venue that has a book of its own. */
  balances?: () => Promise<Map<Asset, Units>>
}
