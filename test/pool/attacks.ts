import { assert } from '#core/assert.ts'
import { minimum, ONE, type Units } from '#core/money/amount.ts'
import { VENUE_COSTS } from '#core/trading/costs.ts'
import { cashMoved, type Order } from '#core/trading/fill.ts'
import { paperFill } from '#core/trading/paper-fill.ts'
import type { Share } from '#core/trading/position.ts'
import { diceFrom, type Dice } from './life.ts'
import {
  planRedemption,
  planSubscription,
  settleRedemption,
  settleSubscription,
} from '#core/pool/lot.ts'
import { planPool } from '#core/pool/plan.ts'
import {
  claimOf,
  found,
  FOUNDING_SCALE,
  join,
  leave,
  trade,
  type Assets,
  type Pool,
} from '#core/pool/pool.ts'

/**
 * The inflation attack on share pools: found a pool with dust, drive up the price of a unit by
 * roundings, and gain what a victim's purchase is rounded down by. Here joiners pay exactly the
 * cost of their units, and nobody can donate to a pool, so there is nothing to gain.
 */

const MOVES = 200
const COSTS = VENUE_COSTS.binance

/**
 * Maximum value of a pool unit, gain of an attacker and loss of a victim per lot, all in units of
 * money.
 */
export type Loot = { attacks: number; lots: number; dearestUnit: Units; won: Units; lost: Units }

/**
 * Runs the attacks of `count` seeds, starting with `from`. Throws if one gains more than a
 * rounding.
 */
export function checkAttacks({ from, count }: { from: number; count: number }): Loot {
  const all: Loot = { attacks: 0, lots: 0, dearestUnit: 0n, won: 0n, lost: 0n }
  for (let seed = from; seed < from + count; seed += 1) {
    const { lots, dearestUnit, won, lost } = attacked(seed)
    all.attacks += 1
    all.lots += lots
    all.dearestUnit = larger(all.dearestUnit, dearestUnit)
    all.won = larger(all.won, won)
    all.lost = larger(all.lost, lost)
  }
  return all
}

function attacked(seed: number): Loot {
  try {
    return attackOf(seed)
  } catch (error) {
    throw new Error(`attack ${seed}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    })
  }
}

/**
 * The attack determined by `seed`: found a pool, often with dust, inflate its units, then let a
 * victim join and leave.
 */
function attackOf(seed: number): Loot {
  const dice = diceFrom(seed)
  const price = dice.chance(0.2) ? 1_000_000n * ONE : 100n * dice.size(1_000_000_000_000n)
  const pool = inflated(dice, invested(dice, price))
  const dearest = price + ONE + ONE / FOUNDING_SCALE
  const isDear = pool.cash * ONE + pool.base * price > pool.units * dearest
  assert(!isDear, 'a pool unit is never driven above one unit of each asset plus its founding cash')
  victimInKind(dice, pool)
  return {
    attacks: 1,
    dearestUnit: (pool.cash * ONE + pool.base * price) / (pool.units * ONE),
    ...victimInLots(dice, { pool, price }),
  }
}

/** A tiny pool, often of dust, whose strategy bought once. */
function invested(dice: Dice, price: Units): Pool {
  const pool = found(5n + dice.size(10n * ONE))
  const order = planPool(pool, {
    exposureBps: [1_000, 5_000, 9_000, 10_000][dice.below(4)] ?? 0,
    price,
    costs: COSTS,
  })
  return order
    ? trade(pool, { side: 'buy', share: dealt(order, price), exposureBps: undefined })
    : pool
}

/**
 * The attacker makes up to `MOVES` moves, each leaving with any part of the units or joining with
 * any number of them.
 */
function inflated(dice: Dice, begun: Pool): Pool {
  let pool = begun
  for (let left = dice.below(MOVES + 1); left > 0; left -= 1) {
    if (dice.chance(0.6)) pool = leave(pool, leaving(dice, pool)).pool
    else pool = join(pool, costOf(pool, dice.size(10_000n))).pool
  }
  return pool
}

/** A random part of the units, or all but a few; never all, which would end the pool. */
function leaving(dice: Dice, { units }: Pool): bigint {
  const few = minimum(units, dice.size(10n))
  return dice.chance(0.5) ? units - few : minimum(dice.part(units), units - 1n)
}

/** Upper bound on the cost of `units`: their part of each asset plus one unit. */
function costOf(pool: Pool, units: bigint): Assets {
  const part = (held: Units) => (held * units) / pool.units + 1n
  return { cash: part(pool.cash), base: part(pool.base) }
}

function victimInKind(dice: Dice, pool: Pool): void {
  const {
    pool: joined,
    units,
    paid,
  } = join(pool, { cash: dice.size(10n ** 14n), base: dice.size(10n ** 14n) })
  const { taken } = leave(joined, units)
  assert(
    paid.cash - taken.cash <= 1n && paid.base - taken.base <= 1n,
    'a victim in kind loses at most one unit of each asset',
  )
  assert(paid.cash >= taken.cash && paid.base >= taken.base, 'joining and leaving never gains')
}

type Market = { pool: Pool; price: Units }

/** A victim joins and leaves by order. Returns the attacker's gain and the victim's loss. */
function victimInLots(dice: Dice, { pool, price }: Market): Pick<Loot, 'lots' | 'won' | 'lost'> {
  const cash = dice.size(10n ** 14n)
  const quantity = planSubscription({ pool, cash, price, costs: COSTS })
  if (quantity === 0n) return { lots: 0, won: 0n, lost: 0n }
  const bought = dealt({ side: 'buy', quantity }, price)
  const { pool: joined, units, spent } = settleSubscription({ pool, offered: cash, bought })
  const unit = worth(pool, { price, of: pool.units }) / pool.units
  const won = gain(pool, joined, price)
  assert(won <= unit + 2n, 'a joining victim gives an attacker at most one pool unit')
  const has = claimOf(joined, units)
  const lost =
    spent - (bought.total - (bought.quantity * price) / ONE) - has.cash - (has.base * price) / ONE
  assert(
    lost <= unit + price / ONE + 2n,
    'a victim loses at most one pool unit and one unit of each asset per lot',
  )
  const sold = dealt({ side: 'sell', quantity: planRedemption(joined, units) }, price)
  const { pool: left, units: redeemed } = settleRedemption({ pool: joined, units, sold })
  assert(redeemed === units, 'a victim whose coins are all sold leaves in full')
  const wonAgain = gain(joined, left, price)
  assert(
    wonAgain <= price / ONE + 2n,
    'a leaving victim gives an attacker less than one unit of each asset',
  )
  return { lots: 2, won: larger(won, wonAgain), lost: larger(0n, lost) }
}

/**
 * Gain of the members who were in the pool before and after. Other units belong to joiners or
 * leavers.
 */
function gain(before: Pool, after: Pool, price: Units): Units {
  const inside = minimum(before.units, after.units)
  return worth(after, { price, of: inside }) - worth(before, { price, of: inside })
}

function worth({ cash, base, units }: Pool, { price, of }: { price: Units; of: bigint }): Units {
  return ((cash * ONE + base * price) * of) / (units * ONE)
}

function dealt(order: Order, price: Units): Share {
  const fill = paperFill({ ...order, price, costs: COSTS })
  return { quantity: fill.quantity, total: cashMoved(fill), fee: fill.fee }
}

const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b)
