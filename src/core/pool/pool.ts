import { assert } from '#core/assert.ts'
import { minimum, ONE, type Units } from '#core/money/amount.ts'
import { multiplyDivideCeil, multiplyDivideFloor } from '#core/money/rounding.ts'
import type { Side } from '#core/trading/fill.ts'
import type { Share } from '#core/trading/position.ts'

/**
 * What all bots of one strategy and pair hold together. Members hold units of it. No rule here knows a price: who comes in pays rounded up
 * and who leaves is paid rounded down, in cash and in coins alike, so that cash per unit and coins per unit never fall, each by itself.
 */
export type Pool = {
  cash: Units
  base: Units
  /** Pool units: 10⁻¹² of the dollar that founded the pool. 26 digits in a large pool after a fall. */
  units: bigint
  /** The exposure last traded to, 0 to 10 000 basis points. */
  appliedBps: number
}

/** Cash and coins. */
export type Assets = { cash: Units; base: Units }

export const EMPTY_POOL: Pool = { cash: 0n, base: 0n, units: 0n, appliedBps: 0 }

/** Pool units for each unit of money that founds a pool: so many that a tiny sleeve beside a huge one loses nothing that shows. */
export const FOUNDING_SCALE = 10_000n

/** What `units` of the pool can be given in kind, floored. */
export function claimOf(pool: Pool, units: bigint): Assets {
  if (units === 0n) return { cash: 0n, base: 0n }
  const part = (of: Units) => multiplyDivideFloor({ a: of, b: units, divisor: pool.units })
  return { cash: part(pool.cash), base: part(pool.base) }
}

/** What `units` cost in kind, rounded up. */
function costOf(pool: Pool, units: bigint): Assets {
  const part = (of: Units) => multiplyDivideCeil({ a: of, b: units, divisor: pool.units })
  return { cash: part(pool.cash), base: part(pool.base) }
}

/** What `units` are worth at `price`, floored once: flooring the coins first would lose a tenth of a cent of bitcoin. */
export function worthOf(pool: Pool, { units, price }: { units: bigint; price: Units }): Units {
  if (units === 0n) return 0n
  return multiplyDivideFloor({ a: units, b: pool.cash * ONE + pool.base * price, divisor: pool.units * ONE })
}

/** An empty pool is founded with cash: `units` for it. */
export function found(cash: Units): Pool {
  return { ...EMPTY_POOL, cash, units: cash * FOUNDING_SCALE }
}

/** Coming into a pool without an order: as many units as both cash and coins pay for, and exactly what they cost. */
export function join(pool: Pool, offered: Assets): { pool: Pool; units: bigint; paid: Assets } {
  if (pool.units === 0n) {
    const founded = found(offered.cash)
    return { pool: founded, units: founded.units, paid: { cash: offered.cash, base: 0n } }
  }
  const units = unitsFor(pool, offered)
  const paid = costOf(pool, units)
  return { pool: { ...pool, cash: pool.cash + paid.cash, base: pool.base + paid.base, units: pool.units + units }, units, paid }
}

/** As many units as `offered` pays for. A pool of nothing has none to offer: its units are worth nothing and it is founded anew first. */
function unitsFor({ cash, base, units }: Pool, offered: Assets): bigint {
  assert(cash > 0n || base > 0n, 'nobody joins a pool that holds nothing')
  const byCash = cash > 0n ? (offered.cash * units) / cash : undefined
  const byBase = base > 0n ? (offered.base * units) / base : undefined
  if (byCash === undefined) return byBase ?? 0n
  return byBase === undefined ? byCash : minimum(byCash, byBase)
}

/** Leaving without an order: what the units can be given in kind. Who leaves last takes all. */
export function leave(pool: Pool, units: bigint): { pool: Pool; taken: Assets } {
  const { pool: after, taken } = leaveTogether(pool, [units])
  return { pool: after, taken: taken[0] ?? { cash: 0n, base: 0n } }
}

/** Several leave at one moment, each with what the pool that all of them found gives. What floors left of a pool without units is `dust`. */
export function leaveTogether(pool: Pool, parts: readonly bigint[]): { pool: Pool; taken: Assets[]; dust: Assets } {
  const taken = parts.map((units) => claimOf(pool, units))
  const gone = taken.reduce((sum, { cash, base }) => ({ cash: sum.cash + cash, base: sum.base + base }), { cash: 0n, base: 0n })
  const units = pool.units - parts.reduce((sum, part) => sum + part, 0n)
  assert(units >= 0n, 'nobody leaves with more units than there are')
  return { ...swept({ ...pool, cash: pool.cash - gone.cash, base: pool.base - gone.base, units }), taken }
}

/** A pool without units keeps nothing. */
export function swept(pool: Pool): { pool: Pool; dust: Assets } {
  if (pool.units > 0n) return { pool, dust: { cash: 0n, base: 0n } }
  return { pool: EMPTY_POOL, dust: { cash: pool.cash, base: pool.base } }
}

/** The pool after its share of the strategy's order. `exposureBps`: what it has reached; undefined where it was filled in part. */
export function trade(pool: Pool, { side, share, exposureBps = pool.appliedBps }: { side: Side; share: Share; exposureBps: number | undefined }): Pool {
  const [cash, base] = side === 'buy' ? [-share.total, share.quantity] : [share.total, -share.quantity]
  const traded = { ...pool, cash: pool.cash + cash, base: pool.base + base, appliedBps: exposureBps }
  assert(traded.cash >= 0n && traded.base >= 0n, 'a pool trades with what it has')
  return traded
}
