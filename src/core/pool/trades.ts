import type { Units } from '#core/money/amount.ts'
import { multiplyDivideCeil, multiplyDivideFloor } from '#core/money/rounding.ts'
import type { Side } from '#core/trading/fill.ts'
import type { Share } from '#core/trading/position.ts'

/**
 * A trade in a pool's journal. `weight`: the total of all participants. For a strategy's trade, it
 * is the pool's units when the trade was booked, so leavers whose coins were sold only in part have
 * a share.
 */
export type PoolTrade = {
  side: Side
  quantity: Units
  /** Money paid or received, after the venue's fee. */
  total: Units
  fee: Units
  weight: bigint
}

/**
 * One member's part of a pool's trade, by its weight `mine`. Computed when needed, never stored.
 * Coins bought and money received are floored; money paid, coins sold and fees are rounded up, so
 * the fees of all members may exceed the pool's by less than a unit each.
 */
export function shareOf({ side, quantity, total, fee, weight }: PoolTrade, mine: bigint): Share {
  const floor = (of: Units) => multiplyDivideFloor({ a: of, b: mine, divisor: weight })
  const ceil = (of: Units) => multiplyDivideCeil({ a: of, b: mine, divisor: weight })
  return side === 'buy'
    ? { quantity: floor(quantity), total: ceil(total), fee: ceil(fee) }
    : { quantity: ceil(quantity), total: floor(total), fee: ceil(fee) }
}

/** Coins that a sleeve holds from its trades, and their cost basis. */
export type Basis = { base: Units; cost: Units }

export const NO_BASIS: Basis = { base: 0n, cost: 0n }

/**
 * The basis after a trade, and the profit of a sale: average cost, floored, so that the remaining
 * coins never have less than their cost. A sale of everything (`isAll`, or by its quantity) takes
 * the whole cost.
 */
export function realize(
  basis: Basis,
  { side, share, isAll = false }: { side: Side; share: Share; isAll?: boolean },
): { basis: Basis; profit: Units | null } {
  if (side === 'buy')
    return {
      basis: { base: basis.base + share.quantity, cost: basis.cost + share.total },
      profit: null,
    }
  const sellsAll = isAll || share.quantity >= basis.base
  const cost = sellsAll
    ? basis.cost
    : multiplyDivideFloor({ a: basis.cost, b: share.quantity, divisor: basis.base })
  const left = sellsAll ? NO_BASIS : { base: basis.base - share.quantity, cost: basis.cost - cost }
  return { basis: left, profit: share.total - cost }
}

/**
 * A sleeve's time in its pool with a constant number of units: its first and last change, by their
 * numbers, and its weight in both.
 */
export type Stay = {
  joined: bigint
  /**
   * Null while the stay lasts. Equal to `joined` for a stay of zero length: a sale of own coins, or
   * a paid order that brought no coins.
   */
  left: bigint | null
  units: bigint
  /**
   * Weight in the joining order (`offered`, cash) and in the leaving order (units, or own coins
   * sold); 0 without an order.
   */
  offered: Units
  redeemed: bigint
  /** Coins brought into the pool, and coins taken out in kind or, below 0, own coins sold. */
  paidBase: Units
  baseOut: Units
}

/**
 * The fields of a pool change from which trades are derived. Without an order, side is null and
 * quantity 0. The total of a yield is its interest.
 */
export type Change = Omit<PoolTrade, 'side'> & {
  number: bigint
  kind: 'trade' | 'join' | 'leave' | 'pause' | 'own' | 'yield'
  side: Side | null
}

/** Weight of a stay in a change of its pool; 0 if it took no part. */
export function weightIn(
  { joined, left, units, offered, redeemed }: Stay,
  { number, kind }: Change,
): bigint {
  if (kind === 'trade' || kind === 'yield')
    return joined < number && (left === null || number < left) ? units : 0n
  if (kind === 'join') return number === joined ? offered : 0n
  if (kind === 'own') return number === joined && number === left ? redeemed : 0n
  return kind === 'leave' && number === left ? redeemed : 0n
}

/**
 * A sleeve's part of a pool's trade. `mine`: its weight. `cost`: money paid, or cost of the coins
 * sold. `profit`: null for a purchase. `coins`: those that enter or leave the basis; a sale of
 * everything includes the dust of pools.
 */
export type MemberTrade<Of extends Change> = {
  change: Of
  side: Side
  mine: bigint
  share: Share
  coins: Units
  cost: Units
  profit: Units | null
}

/** A sleeve's part of a change; undefined if it took no part or its part is empty. */
export function shareIn(
  stays: readonly Stay[],
  change: Change,
): { side: Side; mine: bigint; share: Share } | undefined {
  const { side } = change
  if (side === null) return undefined
  const mine = stays.reduce((sum, stay) => sum + weightIn(stay, change), 0n)
  if (mine === 0n) return undefined
  const share = shareOf({ ...change, side }, mine)
  return share.quantity === 0n && share.total === 0n ? undefined : { side, mine, share }
}

/**
 * A sleeve's part of the interest on its pool's idle cash, floored, so that the members together
 * get at most what was paid.
 */
export function interestIn(stays: readonly Stay[], changes: readonly Change[]): Units {
  return changes.reduce((sum, change) => {
    if (change.kind !== 'yield') return sum
    const mine = stays.reduce((units, stay) => units + weightIn(stay, change), 0n)
    return sum + multiplyDivideFloor({ a: change.total, b: mine, divisor: change.weight })
  }, 0n)
}

/**
 * A sleeve's trade in a change and the basis after it. `basis`: after all earlier changes.
 * Undefined if there is no trade.
 */
export function tradeIn<Of extends Change>(
  stays: readonly Stay[],
  { change, basis }: { change: Of; basis: Basis },
): { trade: MemberTrade<Of>; basis: Basis } | undefined {
  const part = shareIn(stays, change)
  if (!part) return undefined
  const { side, share } = part
  const realized = realize(basis, { side, share, isAll: isEmptyAfter(stays, change.number) })
  const cost = realized.profit === null ? share.total : share.total - realized.profit
  const coins = side === 'buy' ? share.quantity : basis.base - realized.basis.base
  return { trade: { change, ...part, coins, cost, profit: realized.profit }, basis: realized.basis }
}

/**
 * All trades of a sleeve over its whole life. Callers must pass the pool's `changes` in order of
 * their numbers.
 */
export function tradesOf<Of extends Change>({
  stays,
  changes,
}: {
  stays: readonly Stay[]
  changes: readonly Of[]
}): MemberTrade<Of>[] {
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

/** Whether a sleeve has neither units nor coins after change `number`, and thus no cost basis. */
function isEmptyAfter(stays: readonly Stay[], number: bigint): boolean {
  let coins = 0n
  for (const { joined, left, paidBase, baseOut } of stays) {
    if (joined > number) continue
    if (left === null || left > number) return false
    coins += baseOut - paidBase
  }
  return coins === 0n
}
