import { assert } from '#core/assert.ts'
import { minimum, ONE, type Units } from '#core/money/amount.ts'
import { multiplyDivideCeil, multiplyDivideFloor } from '#core/money/rounding.ts'
import { ALL_BPS } from '#core/money/percent.ts'
import type { TradingCosts } from '#core/trading/costs.ts'
import { paperFillPrice } from '#core/trading/paper-fill.ts'
import type { Share } from '#core/trading/position.ts'
import { claimOf, EMPTY_POOL, swept, trade, without, type Assets, type Pool } from './pool.ts'

/**
 * A lot: the sleeves that join or leave a pool with one order. It ends with the order: unfilled
 * parts stay the members' own cash, or units in the pool.
 */

/**
 * Units of cash reserved for rounding in a joining lot: notional, fee and share are each rounded
 * up, and the fee is charged on the rounded notional. With the reserve, the coins, not the cash,
 * determine the lot's pool units.
 */
const ROUNDING_RESERVE: Units = 4n

/**
 * Units of base that a joining lot buys with `cash` to match the pool's mix at the worst expected
 * price. 0 if the pool holds no coins, or if the lot is too small for one unit of base or one pool
 * unit.
 */
export function planSubscription({
  pool,
  cash,
  price,
  costs,
}: {
  pool: Pool
  cash: Units
  price: Units
  costs: TradingCosts
}): Units {
  if (pool.base === 0n) return 0n
  const spendable = cash - ROUNDING_RESERVE
  const worst = paperFillPrice({ side: 'buy', price, costs }) * (ALL_BPS + BigInt(costs.feeBps))
  const quantity =
    (spendable * pool.base * ONE * ALL_BPS) / (pool.cash * ONE * ALL_BPS + pool.base * worst)
  return unitsFor(pool, quantity) > 0n ? quantity : 0n
}

/** Pool units that correspond to `quantity` coins, floored. */
const unitsFor = (pool: Pool, quantity: Units): bigint =>
  multiplyDivideFloor({ a: quantity, b: pool.units, divisor: pool.base })

/** A settled joining lot. */
export type Subscription = {
  /**
   * The pool as if all `units` of the lot were issued; slightly fewer are, since the members' parts
   * are floored.
   */
  pool: Pool
  /** Pool units to divide among the members. */
  units: bigint
  /** Cash that the members pay, to the venue and into the pool. */
  spent: Units
}

/** Upper bound, one cent, on the rounding of an exchange that charges in fewer decimals. */
const VENUE_ROUNDING: Units = ONE / 100n

/** Upper bound, a hundredth, on a pool's interest while the outcome of an order is unknown. */
const INTEREST_DIVISOR = 100n

/**
 * Whether a pool may earn this interest while the outcome of a joining lot is unknown. `earned`:
 * since the lot was planned.
 */
export function mayEarn(
  pool: Pick<Pool, 'cash'>,
  { earned, interest }: { earned: Units; interest: Units },
): boolean {
  return (earned + interest) * INTEREST_DIVISOR <= pool.cash - earned
}

/**
 * Joins a lot with the coins bought for it. Coins worth less than one pool unit go to the pool;
 * cash beyond the mix stays with the members. A fill at the worst expected price or better always
 * leaves enough cash for the coins. The house pays two shortfalls: the exchange's own rounding, and
 * the interest that the pool earned while the outcome of the order was unknown (see `mayEarn`).
 * Otherwise, in a pool with little cash, the lot would lose nearly all of its coins.
 */
export function settleSubscription({
  pool,
  offered,
  bought,
}: {
  pool: Pool
  offered: Units
  bought: Share
}): Subscription {
  assert(pool.base > 0n, 'a lot joins a pool with coins')
  const units = unitsFor(pool, bought.quantity)
  const paid = multiplyDivideCeil({ a: pool.cash, b: units, divisor: pool.units })
  const owed = bought.total + paid
  assert(
    owed <= offered + VENUE_ROUNDING + paid / INTEREST_DIVISOR,
    'the coins of a lot set its units, and its cash pays for them',
  )
  const after = {
    ...pool,
    cash: pool.cash + paid,
    base: pool.base + bought.quantity,
    units: pool.units + units,
  }
  return { pool: after, units, spent: minimum(offered, owed) }
}

/** A member's part of a joining lot: pool units received and cash paid. */
export type Member = { units: bigint; paid: Units }

/**
 * Divides a joined lot among its members by cash offered. Units lost to flooring are never issued,
 * which benefits all members of the pool.
 */
export function shareSubscription({
  units,
  spent,
  offered,
}: {
  units: bigint
  spent: Units
  offered: readonly Units[]
}): Member[] {
  const all = sum(offered)
  return offered.map((cash) => ({
    units: multiplyDivideFloor({ a: units, b: cash, divisor: all }),
    paid: multiplyDivideCeil({ a: spent, b: cash, divisor: all }),
  }))
}

/** Units of base that a lot of `units` must sell to leave; at 0 it leaves without an order. */
export function planRedemption(pool: Pool, units: bigint): Units {
  return claimOf(pool, units).base
}

/** A settled leaving lot. */
export type Redemption = {
  /**
   * The pool as if exactly `units` left; slightly more leave, since the members' parts are rounded
   * up. Swept if no units are left.
   */
  pool: Pool
  /** Units that leave: all of the lot's, or the part that was sold. */
  units: bigint
  /** Cash for all members together. */
  proceeds: Units
  /** Remainder in a pool without members. */
  dust: Assets
}

/**
 * Removes the lot's units in proportion to the coins sold. Callers must call it before they book
 * the strategy's share of the same order.
 */
export function settleRedemption({
  pool,
  units: leaving,
  sold,
}: {
  pool: Pool
  units: bigint
  sold: Share
}): Redemption {
  const orderQuantity = planRedemption(pool, leaving)
  assert(sold.quantity <= orderQuantity, 'a lot sells no more than its part')
  const units =
    sold.quantity === orderQuantity
      ? leaving
      : multiplyDivideCeil({ a: sold.quantity, b: pool.units, divisor: pool.base })
  const cash = claimOf(pool, units).cash
  const after = {
    ...pool,
    cash: pool.cash - cash,
    base: pool.base - sold.quantity,
    units: pool.units - units,
  }
  return { ...swept(after), units, proceeds: cash + sold.total }
}

/** A member's part of a leaving lot: pool units returned and cash received. */
export type Leaver = { units: bigint; proceeds: Units }

/**
 * Divides a lot that left among its members by units requested. If it was sold in part, units are
 * rounded up in favour of those who stay.
 */
export function shareRedemption({
  units,
  proceeds,
  leaving,
}: {
  units: bigint
  proceeds: Units
  leaving: readonly bigint[]
}): Leaver[] {
  const all = sum(leaving)
  return leaving.map((mine) => ({
    units: multiplyDivideCeil({ a: units, b: mine, divisor: all }),
    proceeds: multiplyDivideFloor({ a: proceeds, b: mine, divisor: all }),
  }))
}

/** Divides the proceeds of own coins, sold in the same order as the pool's, by coins held. */
export function shareOwnSale({
  sold,
  held,
}: {
  sold: Share
  held: readonly Units[]
}): { quantity: Units; proceeds: Units }[] {
  const all = sum(held)
  return held.map((mine) => ({
    quantity: multiplyDivideCeil({ a: sold.quantity, b: mine, divisor: all }),
    proceeds: multiplyDivideFloor({ a: sold.total, b: mine, divisor: all }),
  }))
}

const sum = (parts: readonly bigint[]): bigint => parts.reduce((total, part) => total + part, 0n)

/** Sums over the members of a lot that was moved. */
export type MovedLot = {
  /** Cash offered, units to redeem, or own coins held; 0 for holdings that join in kind. */
  weight: bigint
  /** Pool units issued or redeemed. */
  units: bigint
  /** Gain of the members' own cash and coins. */
  own: Assets
}

/** The pool after a change, the members' gain outside of it, and the weight for the journal. */
export type LotResult = { pool: Pool; own: Assets; weight: bigint }

/** A lot has joined with an order. Units lost to rounding down are not issued. */
export function afterSubscription(
  pool: Pool,
  settled: Subscription,
  { weight, units, own }: MovedLot,
): LotResult {
  return { pool: { ...settled.pool, units: pool.units + units }, own, weight }
}

/** A lot has left, with an order or with cash alone. */
export function afterRedemption(
  pool: Pool,
  settled: Redemption,
  { units, own }: MovedLot,
): LotResult {
  return { pool: swept({ ...settled.pool, units: pool.units - units }).pool, own, weight: units }
}

/** Own coins were sold alongside the pool's. */
export const afterOwnSale = (pool: Pool, { weight, own }: MovedLot): LotResult => ({
  pool,
  own,
  weight,
})

/** Members have founded or joined a pool at exactly what they paid, without an order. */
export function afterJoin(pool: Pool, { weight, units, own }: MovedLot): LotResult {
  const after = {
    ...(pool.units === 0n ? EMPTY_POOL : pool),
    cash: pool.cash - own.cash,
    base: pool.base - own.base,
    units: pool.units + units,
  }
  return { pool: after, own, weight: weight > 0n ? weight : units }
}

/** Members have taken their part in kind. */
export function afterPause(pool: Pool, { units, own }: MovedLot): LotResult {
  return { pool: swept(without(pool, { units, taken: own })).pool, own, weight: units }
}

/** The units of a pool that holds nothing were deleted. */
export const afterWorthless = ({ units }: Pool): LotResult => ({
  pool: EMPTY_POOL,
  own: { cash: 0n, base: 0n },
  weight: units,
})

/** The strategy has traded: see `trade`. */
export const afterTrade = (pool: Pool, traded: Parameters<typeof trade>[1]): LotResult => ({
  pool: trade(pool, traded),
  own: { cash: 0n, base: 0n },
  weight: pool.units,
})
