import { assert } from '#core/assert.ts'
import { minimum, ONE, type Units } from '#core/money/amount.ts'
import { multiplyDivideCeil, multiplyDivideFloor } from '#core/money/rounding.ts'
import { ALL_BPS, type TradingCosts } from '#core/trading/costs.ts'
import { paperFillPrice } from '#core/trading/paper-fill.ts'
import type { Share } from '#core/trading/position.ts'
import { claimOf, swept, type Assets, type Pool } from './pool.ts'

/**
 * A lot: those who come into a pool, or leave it, with one order. It never lives: what is not filled stays the members' own cash, or units
 * in the pool.
 */

/**
 * Units of cash kept back from a lot that joins: what rounding adds to its costs (notional, fee and share are each rounded up, and the fee
 * is charged on the first), so that its coins and not its cash set its units.
 */
const ROUNDING_RESERVE: Units = 4n

/**
 * How much base a lot that offers `cash` buys to come to the pool's own mix at the worst price expected; 0 where it is too small for
 * one unit of base or one of the pool, or where the pool holds no coins.
 */
export function planSubscription({ pool, cash, price, costs }: { pool: Pool; cash: Units; price: Units; costs: TradingCosts }): Units {
  if (pool.base === 0n) return 0n
  const spendable = cash - ROUNDING_RESERVE
  const worst = paperFillPrice({ side: 'buy', price, costs }) * (ALL_BPS + BigInt(costs.feeBps))
  const quantity = (spendable * pool.base * ONE * ALL_BPS) / (pool.cash * ONE * ALL_BPS + pool.base * worst)
  return unitsFor(pool, quantity) > 0n ? quantity : 0n
}

/** As many units as so many coins are. */
const unitsFor = (pool: Pool, quantity: Units): bigint => multiplyDivideFloor({ a: quantity, b: pool.units, divisor: pool.base })

export type Subscription = {
  /** The pool with the lot in it, had all `units` been issued: it has fewer by what the members' floors leave. */
  pool: Pool
  /** What the members share. */
  units: bigint
  /** What leaves the members: paid to the venue and into the pool. */
  spent: Units
}

/** An exchange rounds what it charges to its own places: one cent is more than any rounds by. */
const VENUE_ROUNDING: Units = ONE / 100n

/**
 * The lot comes in with what was bought. Coins below one pool unit are given to the pool; cash that does not fit stays the members'. No fill
 * at the worst price expected or a better one leaves the lot short of cash for its coins; what an exchange's own rounding takes beyond that,
 * the house pays, because in a pool of little cash the lot would lose nearly all of its coins for it.
 */
export function settleSubscription({ pool, offered, bought }: { pool: Pool; offered: Units; bought: Share }): Subscription {
  assert(pool.base > 0n, 'a lot joins a pool with coins')
  const units = unitsFor(pool, bought.quantity)
  const paid = multiplyDivideCeil({ a: pool.cash, b: units, divisor: pool.units })
  const owed = bought.total + paid
  assert(owed <= offered + VENUE_ROUNDING, 'the coins of a lot set its units, and its cash pays for them')
  const after = { ...pool, cash: pool.cash + paid, base: pool.base + bought.quantity, units: pool.units + units }
  return { pool: after, units, spent: minimum(offered, owed) }
}

export type Member = { units: bigint; paid: Units }

/** Each member's part of a lot that joined, by what it offered. Units that floors left are never issued: those inside gain. */
export function shareSubscription({ units, spent, offered }: { units: bigint; spent: Units; offered: readonly Units[] }): Member[] {
  const all = sum(offered)
  return offered.map((cash) => ({
    units: multiplyDivideFloor({ a: units, b: cash, divisor: all }),
    paid: multiplyDivideCeil({ a: spent, b: cash, divisor: all }),
  }))
}

/** How much base a lot of `units` has to sell to leave; where it is 0, the lot leaves without an order. */
export function planRedemption(pool: Pool, units: bigint): Units {
  return claimOf(pool, units).base
}

export type Redemption = {
  /** The pool without the lot's `units`: it has fewer by what rounding up takes from the members, and is swept where none are left. */
  pool: Pool
  /** Units that leave: all of the lot's, or only so many as were sold. */
  units: bigint
  /** What the members get together. */
  proceeds: Units
  /** What is left in a pool that nobody is in any more. */
  dust: Assets
}

/** The lot leaves with as many units as its coins were sold for; before the strategy's share of the same order is booked. */
export function settleRedemption({ pool, units: leaving, sold }: { pool: Pool; units: bigint; sold: Share }): Redemption {
  const orderQuantity = planRedemption(pool, leaving)
  assert(sold.quantity <= orderQuantity, 'a lot sells no more than its part')
  const units = sold.quantity === orderQuantity ? leaving : multiplyDivideCeil({ a: sold.quantity, b: pool.units, divisor: pool.base })
  const cash = claimOf(pool, units).cash
  const after = { ...pool, cash: pool.cash - cash, base: pool.base - sold.quantity, units: pool.units - units }
  return { ...swept(after), units, proceeds: cash + sold.total }
}

export type Leaver = { units: bigint; proceeds: Units }

/**
 * Each member's part of a lot that left, by the units it wanted out. Of a lot sold in part units are rounded up: those inside gain.
 */
export function shareRedemption({ units, proceeds, leaving }: { units: bigint; proceeds: Units; leaving: readonly bigint[] }): Leaver[] {
  const all = sum(leaving)
  return leaving.map((mine) => ({
    units: multiplyDivideCeil({ a: units, b: mine, divisor: all }),
    proceeds: multiplyDivideFloor({ a: proceeds, b: mine, divisor: all }),
  }))
}

/** Each member's part of its own coins sold beside the pool, by what it held. */
export function shareOwnSale({ sold, held }: { sold: Share; held: readonly Units[] }): { quantity: Units; proceeds: Units }[] {
  const all = sum(held)
  return held.map((mine) => ({
    quantity: multiplyDivideCeil({ a: sold.quantity, b: mine, divisor: all }),
    proceeds: multiplyDivideFloor({ a: sold.total, b: mine, divisor: all }),
  }))
}

const sum = (parts: readonly bigint[]): bigint => parts.reduce((total, part) => total + part, 0n)
