import type { Pair } from '#core/market/pair.ts'
import type { Units } from '#core/money/amount.ts'
import type { Asset } from '#core/money/asset.ts'
import type { HouseFee } from '#core/trading/exchange-fill.ts'
import type { Fill, Order } from '#core/trading/fill.ts'

/**
 * One order for many bots. The block's id is our own order id: a venue that receives an id twice
 * trades once.
 */
export type BlockOrder = Order & {
  clientOrderId: string
  pair: Pair
  /** The market's price when the order was sized. */
  price: Units
}

/**
 * `isFullyFilled`: nothing tradable is left; otherwise the remainder is planned again. A fill may
 * be empty.
 */
export type VenueFill = Fill & { isFullyFilled: boolean; houseFees?: readonly HouseFee[] }

/**
 * `epoch`: the term of the leading engine; an engine that lost the lead sends nothing. `isResumed`:
 * the block was left behind by a crash or a fault. Its price is old, so if its order was not sent
 * yet, it is not sent at all.
 */
export type LeadTerm = { epoch: bigint; isResumed?: boolean }

/** Port: where orders are executed. */
export type Venue = {
  name: string
  /** Whether an order is large enough for the venue, and its market open. */
  accepts: (order: Omit<BlockOrder, 'clientOrderId'>) => Promise<'yes' | 'too-small' | 'closed'>
  /**
   * Executes the order or, if it was executed before, returns its outcome. Throws while the outcome
   * is unknown; the next call looks the order up instead of sending it again.
   */
  execute: (order: BlockOrder, lead: LeadTerm) => Promise<VenueFill>
  /** Our account, at a venue that keeps its own book. */
  account?: () => Promise<AccountState>
}

/** `faults`: settings under which the two books would drift apart, one sentence each. */
export type AccountState = { balances: ReadonlyMap<Asset, Units>; faults: readonly string[] }
