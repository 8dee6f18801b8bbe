import { assert } from '#core/assert.ts'
import type { Units } from '#core/money/amount.ts'
import { multiplyDivideCeil, multiplyDivideFloor } from '#core/money/rounding.ts'
import { cashMoved, type Fill } from './fill.ts'
import type { Share } from './position.ts'

export type Allocation = {
  /** One for each wish, in the order of the wishes. */
  shares: Share[]
  /** What the roundings left over, never negative: it goes to the `rounding` account. */
  remainder: { base: Units; quote: Units }
}

/**
 * Shares one fill of a block among the wishes that it was made of, pro rata: the same price and the same fee rate for all.
 * A wish is never exceeded, and every rounding is against the customer by less than one unit, so that shares never sum to more
 * than the venue gave. A partly filled block serves everybody in part.
 */
export function allocate({ fill, wishes }: { fill: Fill; wishes: readonly Units[] }): Allocation {
  const wished = wishes.reduce((sum, wish) => sum + wish, 0n)
  assert(wished > 0n && fill.quantity <= wished, 'a fill never exceeds its block')
  const cash = cashMoved(fill)
  const share = fill.side === 'buy' ? shareOfBuy : shareOfSale
  const shares = wishes.map((wish) => share({ fill, cash, wish, wished }))
  const base = shares.reduce((sum, { quantity }) => sum + quantity, 0n)
  const quote = shares.reduce((sum, { total }) => sum + total, 0n)
  const bought = { base: fill.quantity - base, quote: quote - cash }
  return { shares, remainder: fill.side === 'buy' ? bought : { base: -bought.base, quote: -bought.quote } }
}

/** The money that a share's history row shows beside its fee: what was paid to the market, or what came from it. */
export function amountOf({ share, side }: { share: Share; side: Fill['side'] }): Units {
  return side === 'buy' ? share.total - share.fee : share.total + share.fee
}

type Claim = { fill: Fill; cash: Units; wish: Units; wished: Units }

function shareOfBuy({ fill, cash, wish, wished }: Claim): Share {
  return {
    quantity: multiplyDivideFloor({ a: fill.quantity, b: wish, divisor: wished }),
    total: multiplyDivideCeil({ a: cash, b: wish, divisor: wished }),
    fee: multiplyDivideCeil({ a: fill.fee, b: wish, divisor: wished }),
  }
}

function shareOfSale({ fill, cash, wish, wished }: Claim): Share {
  return {
    quantity: multiplyDivideCeil({ a: fill.quantity, b: wish, divisor: wished }),
    total: multiplyDivideFloor({ a: cash, b: wish, divisor: wished }),
    fee: multiplyDivideCeil({ a: fill.fee, b: wish, divisor: wished }),
  }
}
