import { minimum, type Units } from '#core/money/amount.ts'
import { multiplyDivideCeil, multiplyDivideFloor } from '#core/money/rounding.ts'
import type { Side } from '#core/trading/fill.ts'
import type { Share } from '#core/trading/position.ts'

/** A pool's trade as its journal has it; `weight` is that of all who took part. */
export type PoolTrade = {
  side: Side
  quantity: Units
  /** Money paid or received, the venue's fee settled. */
  total: Units
  fee: Units
  weight: bigint
}

/**
 * One member's part of a pool's trade, by its weight in it. It is derived, never stored: bought coins and received money are floored, paid
 * money, sold coins and fees are rounded up. Fees of all members together may exceed the pool's by less than a unit for each of them.
 */
export function shareOf({ side, quantity, total, fee, weight }: PoolTrade, mine: bigint): Share {
  const floor = (of: Units) => multiplyDivideFloor({ a: of, b: mine, divisor: weight })
  const ceil = (of: Units) => multiplyDivideCeil({ a: of, b: mine, divisor: weight })
  return side === 'buy' ? { quantity: floor(quantity), total: ceil(total), fee: ceil(fee) } : { quantity: ceil(quantity), total: floor(total), fee: ceil(fee) }
}

/** Coins that a sleeve's trades have left it, and what they cost. */
export type Basis = { base: Units; cost: Units }

export const NO_BASIS: Basis = { base: 0n, cost: 0n }

/**
 * The coins and their cost after a trade, and what a sale realised: average cost, floored, so that what remains is never carried below what
 * was paid. A sale after which nothing is left, by `isAll` or by its quantity, takes all of the cost with it.
 */
export function realise(basis: Basis, { side, share, isAll = false }: { side: Side; share: Share; isAll?: boolean }): { basis: Basis; profit: Units | null } {
  if (side === 'buy') return { basis: { base: basis.base + share.quantity, cost: basis.cost + share.total }, profit: null }
  const sellsAll = isAll || share.quantity >= basis.base
  const cost = sellsAll ? basis.cost : multiplyDivideFloor({ a: basis.cost, b: share.quantity, divisor: basis.base })
  const left = sellsAll ? NO_BASIS : { base: basis.base - minimum(basis.base, share.quantity), cost: basis.cost - cost }
  return { basis: left, profit: share.total - cost }
}
