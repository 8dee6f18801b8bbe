import type { Units } from '#core/money/amount.ts'

export type Side = 'buy' | 'sell'

/** What we ask of a venue: so much of the base asset, at the market. */
export type Order = {
  side: Side
  /** Units of base, above 0. */
  quantity: Units
}

/** What the venue did. */
export type Fill = {
  side: Side
  /** Units of base that changed hands. */
  quantity: Units
  /** Units of quote per whole base asset. */
  price: Units
  /** Units of quote paid (buy) or received (sell), before the fee. */
  notional: Units
  /** Units of quote charged by the venue on top (buy) or held back (sell). */
  fee: Units
}

/** What left the cash of a buyer, or what came to the cash of a seller: the fee is the customer's in both. */
export function cashMoved(fill: Fill): Units {
  return fill.side === 'buy' ? fill.notional + fill.fee : fill.notional - fill.fee
}
