import { assert } from '#core/assert.ts'
import { minimum, ONE, type Units } from '#core/money/amount.ts'
import { multiplyDivideCeil, multiplyDivideFloor } from '#core/money/rounding.ts'
import type { TradingCosts } from '#core/trading/costs.ts'
import { paperFillPrice } from '#core/trading/paper-fill.ts'
import type { Share } from '#core/trading/position.ts'
import { claimOf, swept, type Assets, type Pool } from './pool.ts'

/**
 * A lot: those who come into a pool, or leave it, with one order. It never lives: what is not filled stays the members' own cash, or units
 * in the pool.
 */

const ALL_BPS = 10_000n

/** Units of cash kept back from a lot that joins: what rounding can add to its costs, so that its coins and not its cash set its units. */
const ROUNDING_RESERVE: Units = 4n

/**
 * How much base a lot that offers `cash` buys to come to the pool's own mix at the worst price expected; 0 where it is too small for
 * one unit of base, or where the pool holds none.
 */
export function planSubscription({ pool, cash, price, costs }: { pool: Pool; cash: Units; price: Units; costs: TradingCosts }): Units {
  const spendable = cash - ROUNDING_RESERVE
  if (spendable <= 0n || pool.base === 0n) return 0n
  const worst = paperFillPrice({ side: 'buy', price, costs }) * (ALL_BPS + BigInt(costs.feeBps))
  return (spendable * pool.base * ONE * ALL_BPS) / (pool.cash * ONE * ALL_BPS + pool.base * worst)
}

export type Subscription = {
  /** The pool with the lot in it and `units` issued. */
  pool: Pool
  units: bigint
  /** What leaves the members: paid to the venue and into the pool. */
  spent: Units
}

/** The lot comes in with what was bought. Coins below one pool unit are given to the pool; cash that does not fit stays the members'. */
export function settleSubscription({ pool, offered, bought }: { pool: Pool; offered: Units; bought: Share }): Subscription {
  const cash = offered - bought.total
  assert(cash >= 0n && pool.base > 0n, 'a lot pays for its purchase and joins a pool with coins')
  const byBase = (bought.quantity * pool.units) / pool.base
  const units = pool.cash > 0n ? minimum(byBase, (cash * pool.units) / pool.cash) : byBase
  const paid = multiplyDivideCeil({ a: pool.cash, b: units, divisor: pool.units })
  return {
    pool: { ...pool, cash: pool.cash + paid, base: pool.base + bought.quantity, units: pool.units + units },
    units,
    spent: bought.total + paid,
  }
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

/** How much base a lot of `units` has to sell to leave. */
export function planRedemption(pool: Pool, units: bigint): Units {
  return claimOf(pool, units).base
}

export type Redemption = {
  pool: Pool
  /** Units that leave: all of the lot's, or only so many as were sold. */
  units: bigint
  /** What the members get together. */
  proceeds: Units
  /** What is left in a pool that nobody is in any more. */
  dust: Assets
}

/** The lot leaves with as many units as its coins were sold for. */
export function settleRedemption({ pool, units: leaving, sold }: { pool: Pool; units: bigint; sold: Share }): Redemption {
  const wish = planRedemption(pool, leaving)
  assert(sold.quantity <= wish, 'a lot sells no more than its part')
  const units = sold.quantity === wish ? leaving : minimum(leaving, multiplyDivideCeil({ a: sold.quantity, b: pool.units, divisor: pool.base }))
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
    units: minimum(mine, multiplyDivideCeil({ a: units, b: mine, divisor: all })),
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
