import { assert } from '#core/assert.ts'
import type { Units } from '#core/money/amount.ts'
import { multiplyDivideCeil, multiplyDivideFloor } from '#core/money/rounding.ts'
import { cashMoved, type Fill } from './fill.ts'
import type { Share } from './position.ts'

type Allocation = {
  /** In the order of `orderQuantities`. */
  shares: Share[]
  /** Remainder of the roundings, never negative, posted to the `rounding` account. */
  remainder: { base: Units; quote: Units }
}

/**
 * Divides the fill of a block pro rata among its parties' order quantities (units of base), at the
 * same price and fee rate. No share exceeds its party's quantity. Each rounding is against the
 * customer and below one unit, so that shares never sum to more than the venue filled. Throws
 * `AssertionFailed` if the fill exceeds the block.
 */
export function allocate({
  fill,
  orderQuantities,
}: {
  fill: Fill
  orderQuantities: readonly Units[]
}): Allocation {
  const blockQuantity = orderQuantities.reduce((sum, orderQuantity) => sum + orderQuantity, 0n)
  assert(blockQuantity > 0n && fill.quantity <= blockQuantity, 'a fill never exceeds its block')
  const cash = cashMoved(fill)
  const share = fill.side === 'buy' ? shareOfBuy : shareOfSale
  const shares = orderQuantities.map((orderQuantity) =>
    share({ fill, cash, orderQuantity, blockQuantity }),
  )
  const base = shares.reduce((sum, { quantity }) => sum + quantity, 0n)
  const quote = shares.reduce((sum, { total }) => sum + total, 0n)
  const bought = { base: fill.quantity - base, quote: quote - cash }
  return {
    shares,
    remainder: fill.side === 'buy' ? bought : { base: -bought.base, quote: -bought.quote },
  }
}

/** The amount in the history: money paid to the market or received from it, units of quote. */
export function amountOf({ share, side }: { share: Share; side: Fill['side'] }): Units {
  return side === 'buy' ? share.total - share.fee : share.total + share.fee
}

/** The owner's gain: negative for a purchase. Rounded down. */
export function signedAmountOf({ share, side }: { share: Share; side: Fill['side'] }): Units {
  const amount = amountOf({ share, side })
  return side === 'buy' ? -amount : amount
}

type ShareInput = { fill: Fill; cash: Units; orderQuantity: Units; blockQuantity: Units }

function shareOfBuy({ fill, cash, orderQuantity, blockQuantity }: ShareInput): Share {
  return {
    quantity: multiplyDivideFloor({ a: fill.quantity, b: orderQuantity, divisor: blockQuantity }),
    total: multiplyDivideCeil({ a: cash, b: orderQuantity, divisor: blockQuantity }),
    fee: multiplyDivideCeil({ a: fill.fee, b: orderQuantity, divisor: blockQuantity }),
  }
}

function shareOfSale({ fill, cash, orderQuantity, blockQuantity }: ShareInput): Share {
  return {
    quantity: multiplyDivideCeil({ a: fill.quantity, b: orderQuantity, divisor: blockQuantity }),
    total: multiplyDivideFloor({ a: cash, b: orderQuantity, divisor: blockQuantity }),
    fee: multiplyDivideCeil({ a: fill.fee, b: orderQuantity, divisor: blockQuantity }),
  }
}
