import { assert } from '#core/assert.ts'
import { minimum, ONE, type Units } from '#core/money/amount.ts'
import { multiplyDivideCeil, multiplyDivideFloor } from '#core/money/rounding.ts'
import type { Side } from '#core/trading/fill.ts'
import type { Share } from '#core/trading/position.ts'

/**
 * Joint holdings of all bots with the same strategy and pair. Members own pool units. No rule here
 * depends on a price: joiners pay rounded up and a pool pays leavers rounded down, in both cash and
 * coins, so that neither cash per unit nor coins per unit ever falls.
 */
export type Pool = {
  cash: Units
  base: Units
  /**
   * Pool units: 10⁻¹² of a dollar at founding. A large pool can have 26 digits after a market fall.
   */
  units: bigint
  /** The exposure last traded to, 0 to 10 000 basis points. */
  appliedBps: number
}

/** Cash and coins. */
export type Assets = { cash: Units; base: Units }

export const EMPTY_POOL: Pool = { cash: 0n, base: 0n, units: 0n, appliedBps: 0 }

/**
 * Pool units issued per unit of founding cash: enough that a tiny sleeve beside a huge one loses
 * nothing visible.
 */
export const FOUNDING_SCALE = 10_000n

/** Assets paid out in kind for `units`, floored. */
export function claimOf(pool: Pool, units: bigint): Assets {
  if (units === 0n) return { cash: 0n, base: 0n }
  const part = (of: Units) => multiplyDivideFloor({ a: of, b: units, divisor: pool.units })
  return { cash: part(pool.cash), base: part(pool.base) }
}

/**
 * Assets that a member takes out with `units`, without an order. In a pool without coins the cash
 * is rounded up, so that money that never bought a coin is returned whole; the house pays for that.
 * In other pools all is floored.
 */
export function takenBy(pool: Pool, units: bigint): Assets {
  return pool.base === 0n ? costOf(pool, units) : claimOf(pool, units)
}

/** Assets paid in for `units`, rounded up. */
function costOf(pool: Pool, units: bigint): Assets {
  if (units === 0n) return { cash: 0n, base: 0n }
  const part = (of: Units) => multiplyDivideCeil({ a: of, b: units, divisor: pool.units })
  return { cash: part(pool.cash), base: part(pool.base) }
}

/**
 * Value of `units` at `price`, in units of quote. Floored once: flooring the coins first could lose
 * a tenth of a cent in bitcoin.
 */
export function worthOf(pool: Pool, { units, price }: { units: bigint; price: Units }): Units {
  if (units === 0n) return 0n
  return multiplyDivideFloor({
    a: units,
    b: pool.cash * ONE + pool.base * price,
    divisor: pool.units * ONE,
  })
}

/**
 * Pays interest on a pool's cash. The number of units does not change, so every member's part
 * grows.
 */
export function earn(pool: Pool, interest: Units): Pool {
  return { ...pool, cash: pool.cash + interest }
}

/** Founds an empty pool with `cash`. */
export function found(cash: Units): Pool {
  return { ...EMPTY_POOL, cash, units: cash * FOUNDING_SCALE }
}

/**
 * Joins a pool in kind, without an order: issues as many units as the cash and the coins can both
 * pay for, at exactly their cost.
 */
export function join(pool: Pool, offered: Assets): { pool: Pool; units: bigint; paid: Assets } {
  if (pool.units === 0n) {
    const founded = found(offered.cash)
    return { pool: founded, units: founded.units, paid: { cash: offered.cash, base: 0n } }
  }
  const units = unitsFor(pool, offered)
  const paid = costOf(pool, units)
  return {
    pool: {
      ...pool,
      cash: pool.cash + paid.cash,
      base: pool.base + paid.base,
      units: pool.units + units,
    },
    units,
    paid,
  }
}

/**
 * Pool units that `offered` can pay for. A pool that holds nothing must be founded again first: its
 * units are worthless.
 */
function unitsFor({ cash, base, units }: Pool, offered: Assets): bigint {
  assert(cash > 0n || base > 0n, 'nobody joins a pool that holds nothing')
  if (cash === 0n) return (offered.base * units) / base
  const byCash = (offered.cash * units) / cash
  return base === 0n ? byCash : minimum(byCash, (offered.base * units) / base)
}

/** Leaves a pool in kind, without an order. The last to leave takes everything. */
export function leave(pool: Pool, units: bigint): { pool: Pool; taken: Assets } {
  return { pool: leaveTogether(pool, [units]).pool, taken: takenBy(pool, units) }
}

/**
 * Several members leave at once, each paid from the pool as it was before. `dust`: the remainder of
 * rounding if no units are left.
 */
export function leaveTogether(
  pool: Pool,
  parts: readonly bigint[],
): { pool: Pool; taken: Assets[]; dust: Assets } {
  const taken = parts.map((units) => takenBy(pool, units))
  const leaving = parts.reduce((sum, part) => sum + part, 0n)
  assert(leaving <= pool.units, 'nobody leaves with more units than there are')
  return { ...swept(without(pool, { units: leaving, taken: sumOf(taken) })), taken }
}

/**
 * The pool after members took `taken`. A pool without coins pays at most the members' floored part,
 * and the house pays the rest.
 */
export function without(pool: Pool, { units, taken }: { units: bigint; taken: Assets }): Pool {
  const { cash, base } = pool.base === 0n ? claimOf(pool, units) : taken
  return { ...pool, cash: pool.cash - cash, base: pool.base - base, units: pool.units - units }
}

function sumOf(assets: readonly Assets[]): Assets {
  return assets.reduce(
    (sum, { cash, base }) => ({ cash: sum.cash + cash, base: sum.base + base }),
    { cash: 0n, base: 0n },
  )
}

/** Empties a pool without units; its remainder is `dust`. Other pools are returned unchanged. */
export function swept(pool: Pool): { pool: Pool; dust: Assets } {
  if (pool.units > 0n) return { pool, dust: { cash: 0n, base: 0n } }
  return { pool: EMPTY_POOL, dust: { cash: pool.cash, base: pool.base } }
}

/**
 * The pool after its share of the strategy's order. `exposureBps`: the exposure reached; undefined
 * if the order was filled in part.
 */
export function trade(
  pool: Pool,
  {
    side,
    share,
    exposureBps = pool.appliedBps,
  }: { side: Side; share: Share; exposureBps: number | undefined },
): Pool {
  const [cash, base] =
    side === 'buy' ? [-share.total, share.quantity] : [share.total, -share.quantity]
  const traded = {
    ...pool,
    cash: pool.cash + cash,
    base: pool.base + base,
    appliedBps: exposureBps,
  }
  assert(traded.cash >= 0n && traded.base >= 0n, 'a pool trades no more than it holds')
  return traded
}
