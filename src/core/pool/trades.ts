import type { Units } from '#core/money/amount.ts'
import { multiplyDivideCeil, multiplyDivideFloor } from '#core/money/rounding.ts'
import type { Side } from '#core/trading/fill.ts'
import type { Share } from '#core/trading/position.ts'

/**
 * A pool's trade as its journal has it; `weight` is that of all who took part: of the strategy's own trade the pool's units when it was
 * booked, so that those who wanted to leave by the same order and were not all sold have their part of it.
 */
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
  const left = sellsAll ? NO_BASIS : { base: basis.base - share.quantity, cost: basis.cost - cost }
  return { basis: left, profit: share.total - cost }
}

/** A stretch of a sleeve's life in its pool, as the numbers of the changes that it began and ended with, and what it weighed in both. */
export type Stay = {
  joined: bigint
  /** Null: it lasts. Equal to `joined`, a stay of no length: own coins were sold, or an order that was paid for brought no coins. */
  left: bigint | null
  units: bigint
  /** Cash that it joined an order with, and units, or own coins, that it left an order with; 0 where it took no part. */
  offered: Units
  redeemed: bigint
  /** Coins that it brought into the pool, and that it took out in kind or, below 0, sold. */
  paidBase: Units
  baseOut: Units
}

/** A change of a pool, as far as trades are derived from it. Without an order its side is null and its quantity 0. */
export type Change = Omit<PoolTrade, 'side'> & { number: bigint; kind: 'trade' | 'join' | 'leave' | 'pause' | 'own'; side: Side | null }

/** What a stay weighs in a change of its pool; 0 where it took no part. */
export function weightIn({ joined, left, units, offered, redeemed }: Stay, { number, kind }: Change): bigint {
  if (kind === 'trade') return joined < number && (left === null || number < left) ? units : 0n
  if (kind === 'join') return number === joined ? offered : 0n
  if (kind === 'own') return number === joined && number === left ? redeemed : 0n
  return kind === 'leave' && number === left ? redeemed : 0n
}

/** `cost`: the money paid, or what was sold had cost. `profit`: null for a purchase. `mine`: the sleeve's weight. */
export type MemberTrade<Of extends Change> = { change: Of; side: Side; mine: bigint; share: Share; cost: Units; profit: Units | null }

/** A sleeve's part of a change; undefined where it took none, or its part is nothing. */
export function shareIn(stays: readonly Stay[], change: Change): { side: Side; mine: bigint; share: Share } | undefined {
  const { side } = change
  const mine = side === null ? 0n : stays.reduce((sum, stay) => sum + weightIn(stay, change), 0n)
  if (side === null || mine === 0n) return undefined
  const share = shareOf({ ...change, side }, mine)
  return share.quantity === 0n && share.total === 0n ? undefined : { side, mine, share }
}

/** A sleeve's trade in a change, after all that came before it has left `basis`. */
export function tradeIn<Of extends Change>(
  stays: readonly Stay[],
  { change, basis }: { change: Of; basis: Basis },
): { trade: MemberTrade<Of>; basis: Basis } | undefined {
  const part = shareIn(stays, change)
  if (!part) return undefined
  const { side, share } = part
  const realised = realise(basis, { side, share, isAll: isEmptyAfter(stays, change.number) })
  const cost = realised.profit === null ? share.total : share.total - realised.profit
  return { trade: { change, ...part, cost, profit: realised.profit }, basis: realised.basis }
}

/** All trades of a sleeve: a fold over its whole life. Changes of its pool come in the order of their numbers. */
export function tradesOf<Of extends Change>({ stays, changes }: { stays: readonly Stay[]; changes: readonly Of[] }): MemberTrade<Of>[] {
  const trades: MemberTrade<Of>[] = []
  let basis = NO_BASIS
  for (const change of changes) {
    const made = tradeIn(stays, { change, basis })
    if (!made) continue
    trades.push(made.trade)
    basis = made.basis
  }
  return trades
}

/** Whether a sleeve has neither units nor coins when change `number` is done: then no cost is left. */
function isEmptyAfter(stays: readonly Stay[], number: bigint): boolean {
  let coins = 0n
  for (const { joined, left, paidBase, baseOut } of stays) {
    if (joined <= number && (left === null || left > number)) return false
    if (joined <= number) coins -= paidBase
    if (left !== null && left <= number) coins += baseOut
  }
  return coins === 0n
}
