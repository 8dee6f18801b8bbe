import type { Units } from '#core/money/amount.ts'

export type Side = 'buy' | 'sell'

export type Order = {
  side: Side
  /** Units of base, above 0. */
  quantity: Units
}

export type Fill = {
  side: Side
  quantity: Units
  /** Units of quote per whole base asset. */
  price: Units
  /** Units of quote paid (buy) or received (sell), before the fee. */
  notional: Units
  /** Units of quote that the venue charges on top (buy) or withholds (sell). */
  fee: Units
}

/** Units of quote paid (buy) or received (sell); the customer bears the fee in both cases. */
export function cashMoved(fill: Fill): Units {
  return fill.side === 'buy' ? fill.notional + fill.fee : fill.notional - fill.fee
}
