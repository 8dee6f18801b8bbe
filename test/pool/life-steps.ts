import { allocate } from '#core/trading/allocation.ts'
import type { TradingCosts } from '#core/trading/costs.ts'
import type { Fill, Side } from '#core/trading/fill.ts'
import { paperFill } from '#core/trading/paper-fill.ts'
import type { Share } from '#core/trading/position.ts'
import type { Units } from '#core/money/amount.ts'
import {
  changed,
  NOTHING,
  plus,
  sleeveAt,
  someOf,
  sum,
  withGifts,
  type Change,
  type Dice,
  type Gain,
  type Stay,
  type World,
} from './life.ts'
import {
  planRedemption,
  settleRedemption,
  settleSubscription,
  shareOwnSale,
  shareRedemption,
  shareSubscription,
} from '#core/pool/lot.ts'
import { NO_LOTS, planJoins, planPools, type Lots, type Party } from '#core/pool/plan.ts'
import {
  found,
  FOUNDING_SCALE,
  join,
  leaveTogether,
  swept,
  trade,
  type Assets,
} from '#core/pool/pool.ts'
import { shareOf } from '#core/pool/trades.ts'

/** The steps of an engine on a pool and its members. Each returns its changes in order. */

const NO_SHARE: Share = { quantity: 0n, total: 0n, fee: 0n }

type Step = (world: World, dice: Dice) => Change[]

const EXPOSURES = [0, 2_500, 5_000, 9_000, 10_000]

/** Cash founds an empty pool, or joins a pool without coins, without an order. */
export const enter: Step = (world, dice) => {
  const { pool } = world
  if (pool.base > 0n) return []
  const joiners = someOf(world, { dice, share: 0.5 }, ({ cash }) => cash > 0n)
  const offers = joiners.map((index) => {
    const { cash } = sleeveAt(world, index)
    return { index, cash: dice.chance(0.8) ? cash : dice.size(cash) }
  })
  if (offers.length === 0) return []
  const offered = sum(offers.map(({ cash }) => cash))
  const joined = offers.map(({ index, cash }) => {
    const { units, paid } =
      pool.units === 0n
        ? { units: cash * FOUNDING_SCALE, paid: { cash, base: 0n } }
        : join(pool, { cash, base: 0n })
    return {
      index,
      units,
      cash: -paid.cash,
      stay: beginStay(world, index, { coins: 0n, below: 0n, above: 0n }),
    }
  })
  const units = pool.units + sum(joined.map((one) => one.units))
  const after =
    pool.units === 0n
      ? found(offered)
      : { ...pool, cash: pool.cash - sum(joined.map(({ cash }) => cash)), units }
  return [
    came(world, {
      name: 'enter',
      after: { ...changed(world, joined), pool: after },
      members: joined.length,
    }),
  ]
}

/** A paused sleeve returns in kind with its coins and cash. */
export const resume: Step = (world, dice) => {
  const [index] = someOf(world, { dice, share: 0.5 }, ({ base }) => base > 0n)
  if (index === undefined || world.pool.base === 0n) return []
  const { pool, units, paid } = join(world.pool, sleeveAt(world, index))
  const stay =
    units > 0n ? beginStay(world, index, { coins: paid.base, below: 1n, above: 0n }) : undefined
  const after = changed(world, [
    { index, units, cash: -paid.cash, base: -paid.base, ...(stay !== undefined && { stay }) },
  ])
  return [came(world, { name: 'resume', after: { ...after, pool }, members: 1 })]
}

/** Some members, or all, leave in kind at the same time, each in full or in part. */
export const pause: Step = (world, dice) => {
  const isPanic = dice.chance(0.15)
  const parts = someOf(world, { dice, share: isPanic ? 1 : 0.3 }, ({ units }) => units > 0n).map(
    (index) => ({
      index,
      units: isPanic ? sleeveAt(world, index).units : dice.part(sleeveAt(world, index).units),
    }),
  )
  if (parts.length === 0) return []
  return [leaveWithout(world, { name: 'pause', parts })]
}

/**
 * Members leave without an order: `rounding` keeps what the pool gave and they did not take, and
 * adds what they took beyond it.
 */
function leaveWithout(
  world: World,
  { name, parts }: { name: string; parts: readonly Leaving[] },
): Change {
  const { pool, taken, dust } = leaveTogether(
    world.pool,
    parts.map(({ units }) => units),
  )
  const gains = parts.map(({ index, units }, at) => ({
    ...(taken[at] ?? NOTHING),
    ...ended(index, units),
  }))
  const left = (asset: keyof Assets) =>
    world.pool[asset] - pool[asset] - sum(taken.map((one) => one[asset]))
  const after = {
    ...changed(world, gains),
    pool,
    rounding: plus(world.rounding, { cash: left('cash'), base: left('base') }),
  }
  return went(world, { name, after, members: parts.length, dust })
}

/** A lot joins with an order for the pool's current mix. */
export const joinByOrder: Step = (world, dice) => {
  const joiners = someOf(world, { dice, share: 0.5 }, ({ cash }) => cash > 0n)
  const offered = joiners.map((index) => sleeveAt(world, index).cash)
  const lots = { ...NO_LOTS, joining: { cash: sum(offered), members: joiners.length } }
  const parties = planJoins(
    [{ id: 1, pool: world.pool, lots, exposureBps: world.pool.appliedBps }],
    world,
  )
  const [bought] = parties.length > 0 ? execute(world, dice, { side: 'buy', parties }) : []
  if (!bought) return []
  const { pool, units, spent } = settleSubscription({
    pool: world.pool,
    offered: sum(offered),
    bought: bought.share,
  })
  const members = shareSubscription({ units, spent, offered })
  const issued = world.pool.units + sum(members.map((one) => one.units))
  const perUnit = (pool.base + issued - 1n) / issued
  const below = (2n * world.pool.base + world.pool.units - 1n) / world.pool.units
  const gains = members.map((one, at) => {
    const { quantity } = shareOf(
      { side: 'buy', ...bought.share, weight: sum(offered) },
      offered[at] ?? 0n,
    )
    const stay = {
      coins: quantity,
      below: below > 1n ? below : 1n,
      above: 1n + BigInt(joiners.length) * (perUnit + 2n),
    }
    const index = joiners[at] ?? 0
    return {
      index,
      units: one.units,
      cash: -one.paid,
      ...(one.units > 0n && { stay: beginStay(world, index, stay) }),
    }
  })
  const rest = { cash: sum(members.map(({ paid }) => paid)) - spent }
  const settled = {
    ...changed(world, gains),
    pool: { ...pool, units: issued },
    rounding: plus(world.rounding, rest),
  }
  return [
    came(world, {
      name: 'join by order',
      after: dealt(settled, { side: 'buy', share: bought.share }),
      members: joiners.length,
    }),
  ]
}

/**
 * A tick: leavers, own coins and the strategy's sale in one order; a purchase once the leavers are
 * served.
 */
export const tick: Step = (world, dice) => {
  const changes: Change[] = []
  const now = () => changes.at(-1)?.world ?? world
  const exposureBps = dice.chance(0.5)
    ? world.pool.appliedBps
    : (EXPOSURES[dice.below(EXPOSURES.length)] ?? 0)
  const leavers = someOf(
    world,
    { dice, share: dice.chance(0.1) ? 1 : 0.2 },
    ({ units }) => units > 0n,
  ).map((index) => ({
    index,
    units: dice.chance(0.7)
      ? sleeveAt(world, index).units
      : dice.size(sleeveAt(world, index).units),
  }))
  const holders = someOf(world, { dice, share: 0.3 }, ({ base }) => base > 0n)
  const units = sum(leavers.map((one) => one.units))
  const isSold = planRedemption(world.pool, units) > 0n
  if (units > 0n && !isSold)
    changes.push(
      world.pool.base === 0n
        ? leaveWithout(world, { name: 'leave in cash', parts: leavers })
        : redeem(world, { leavers, sold: NO_SHARE }),
    )
  const lots: Lots = {
    joining: NO_LOTS.joining,
    leaving: isSold ? { units, members: leavers.length } : NO_LOTS.leaving,
    own: {
      base: sum(holders.map((index) => sleeveAt(world, index).base)),
      members: holders.length,
    },
  }
  const { sell } = served(changes, now(), { exposureBps, lots })
  for (const { party, share } of sell.length > 0
    ? execute(world, dice, { side: 'sell', parties: sell })
    : []) {
    if (party.as === 'leave') changes.push(redeem(now(), { leavers, sold: share }))
    else if (party.as === 'own') changes.push(sellOwn(now(), { holders, sold: share }))
    else changes.push(tradeAll(now(), { party, share, side: 'sell' }))
  }
  const { buy } = served(changes, now(), { exposureBps, lots: NO_LOTS })
  for (const { party, share } of buy.length > 0
    ? execute(world, dice, { side: 'buy', parties: buy })
    : []) {
    changes.push(tradeAll(now(), { party, share, side: 'buy' }))
  }
  return changes
}

/**
 * Plans the pool. If its strategy's order would be empty, the target exposure counts as applied.
 */
function served(
  changes: Change[],
  world: World,
  { exposureBps, lots }: { exposureBps: number; lots: Lots },
) {
  const plan = planPools([{ id: 1, pool: world.pool, lots, exposureBps }], world)
  if (plan.served.length > 0) {
    const after = { ...world, pool: { ...world.pool, appliedBps: exposureBps } }
    changes.push({ name: 'serve', kind: 'other', world: after, members: 0, dust: NOTHING })
  }
  return plan
}

/** Books the strategy's part of an order; every stay gets its derived share. */
function tradeAll(
  world: World,
  { party, share, side }: { party: Party; share: Share; side: Side },
): Change {
  const isFullyFilled = share.quantity === party.orderQuantity
  const pool = trade(world.pool, {
    side,
    share,
    exposureBps: isFullyFilled ? party.exposureBps : undefined,
  })
  const sign = side === 'buy' ? 1n : -1n
  const gains = world.sleeves.flatMap(({ units, stay }, index) => {
    if (!stay) return []
    const mine = shareOf({ side, ...share, weight: world.pool.units }, units)
    return [
      {
        index,
        stay: { ...stay, coins: stay.coins + sign * mine.quantity, above: stay.above + 1n },
      },
    ]
  })
  const after = dealt({ ...changed(world, gains), pool }, { side, share })
  return { name: `strategy ${side}`, kind: 'trade', world: after, members: 0, dust: NOTHING }
}

type Leaving = { index: number; units: bigint }

/** Settles a leaving lot after its sale; the pool keeps as many units as its members hold then. */
function redeem(
  world: World,
  { leavers, sold }: { leavers: readonly Leaving[]; sold: Share },
): Change {
  const leaving = leavers.map(({ units }) => units)
  const settled = settleRedemption({ pool: world.pool, units: sum(leaving), sold })
  const members = shareRedemption({ units: settled.units, proceeds: settled.proceeds, leaving })
  const gains = members.map(({ units, proceeds }, at) => ({
    cash: proceeds,
    ...ended(leavers[at]?.index ?? 0, units),
  }))
  const rest = swept({
    ...settled.pool,
    units: world.pool.units - sum(members.map(({ units }) => units)),
  })
  const dust = plus(settled.dust, rest.dust)
  const kept = { cash: settled.proceeds - sum(members.map(({ proceeds }) => proceeds)) }
  const after = {
    ...changed(world, gains),
    pool: rest.pool,
    rounding: plus(plus(world.rounding, dust), kept),
  }
  return went(world, {
    name: 'leave by order',
    after: dealt(after, { side: 'sell', share: sold }),
    members: members.length,
    dust,
  })
}

/** Sells own coins of bots. */
function sellOwn(
  world: World,
  { holders, sold }: { holders: readonly number[]; sold: Share },
): Change {
  const shares = shareOwnSale({ sold, held: holders.map((index) => sleeveAt(world, index).base) })
  const gains = shares.map(({ quantity, proceeds }, at) => ({
    index: holders[at] ?? 0,
    base: -quantity,
    cash: proceeds,
  }))
  const cash = sold.total - sum(shares.map(({ proceeds }) => proceeds))
  const base = sum(shares.map(({ quantity }) => quantity)) - sold.quantity
  const after = { ...changed(world, gains), rounding: plus(world.rounding, { cash, base }) }
  return {
    name: 'sell own',
    kind: 'other',
    world: dealt(after, { side: 'sell', share: sold }),
    members: holders.length,
    dust: NOTHING,
  }
}

type Executed = { party: Party; share: Share }

/**
 * Executes one order for all `parties`, half of the time together with another pool. Each party
 * gets its part of the fill.
 */
function execute(
  { price, costs }: World,
  dice: Dice,
  { side, parties }: { side: Side; parties: readonly Party[] },
): Executed[] {
  const stranger = dice.chance(0.5) ? [dice.size(10n ** 12n)] : []
  const orderQuantities = [...parties.map(({ orderQuantity }) => orderQuantity), ...stranger]
  const { shares } = allocate({
    fill: filled(dice, { side, quantity: sum(orderQuantities), price, costs }),
    orderQuantities,
  })
  return parties.map((party, at) => ({ party, share: shares[at] ?? NO_SHARE }))
}

/** The world after the venue's side of `share`. */
function dealt(
  world: World,
  { side, share: { quantity, total } }: { side: Side; share: Share },
): World {
  return {
    ...world,
    venue: plus(
      world.venue,
      side === 'buy' ? { cash: total, base: -quantity } : { cash: -total, base: quantity },
    ),
  }
}

type Wanted = { side: Side; quantity: Units; price: Units; costs: TradingCosts }

/** Fills none, part or all of an order, at the worst expected price or up to 50 % better. */
function filled(dice: Dice, { side, quantity, price, costs }: Wanted): Fill {
  const [better, feeBps] = dice.chance(0.3)
    ? [BigInt(dice.below(500)), dice.below(costs.feeBps + 1)]
    : [0n, costs.feeBps]
  const kinder = (price * (side === 'buy' ? 1_000n - better : 1_000n + better)) / 1_000n
  return paperFill({
    side,
    quantity: dice.part(quantity),
    price: kinder,
    costs: { ...costs, feeBps },
  })
}

type Moved = { name: string; after: World; members: number }

const came = (world: World, { name, after, members }: Moved): Change =>
  withGifts(world, { name, kind: 'join', world: after, members, dust: NOTHING })

const went = (world: World, { name, after, members, dust }: Moved & { dust: Assets }): Change =>
  withGifts(world, { name, kind: 'leave', world: after, members, dust })

/** A sleeve that returns any units ends its stay. */
function ended(index: number, units: bigint): Gain {
  return { index, units: -units, ...(units > 0n && { stay: null }) }
}

/**
 * Null for a sleeve that is already in: with a second entry, its trades no longer belong to one
 * stay.
 */
function beginStay(world: World, index: number, stay: Stay): Stay | null {
  return sleeveAt(world, index).units === 0n ? stay : null
}
