import { uniformFrom } from '#core/market/seeded.ts'
import { minimum, ONE, type Units } from '#core/money/amount.ts'
import type { TradingCosts } from '#core/trading/costs.ts'
import { EMPTY_POOL, type Assets, type Pool } from '#core/pool/pool.ts'

/** Eight sleeves, their pool, and every other place that money can go to. */
export type World = {
  pool: Pool
  sleeves: readonly Sleeve[]
  price: Units
  costs: TradingCosts
  /** Assets received by the venue; below 0 if paid out. */
  venue: Assets
  rounding: Assets
  /** All cash ever put in. */
  invested: Units
}

/** A bot's own cash and coins, and its units of the pool. */
export type Sleeve = Assets & { units: bigint; stay: Stay | undefined }

/**
 * A stay with one entry: the coins of its derived trades, and how far its claim may be below or
 * above them.
 */
export type Stay = { coins: Units; below: Units; above: Units }

/**
 * A change and the world after it. `members`: number of joiners or leavers; 0 for other changes.
 */
export type Change = {
  name: string
  kind: 'join' | 'leave' | 'trade' | 'other'
  world: World
  members: number
  /** Assets left behind by the last leaver. */
  dust: Assets
}

export const NOTHING: Assets = { cash: 0n, base: 0n }
const SLEEVES = 8
const LOWEST_PRICE: Units = ONE / 1_000_000n
const HIGHEST_PRICE: Units = 1_000_000n * ONE
const RICHEST: Units = 1_000_000n * ONE
const DUST: Units = 20n

export type Dice = {
  /** 0 to `end` − 1. */
  below: (end: number) => number
  chance: (share: number) => boolean
  /** 1 to `most`, all orders of magnitude equally likely. */
  size: (most: bigint) => bigint
  /** 0 to `whole`; 0 and `whole` each have extra probability. */
  part: (whole: bigint) => bigint
}

/** Dice determined by `seed`. */
export function diceFrom(seed: number): Dice {
  const uniform = uniformFrom(seed)
  const below = (end: number): number => Math.floor(uniform() * end)
  const any = (most: bigint): bigint =>
    ((BigInt(below(2 ** 30)) * 2n ** 30n + BigInt(below(2 ** 30))) * most) >> 60n
  return {
    below,
    chance: (share) => uniform() < share,
    size: (most) => minimum(most, 1n + any(10n ** BigInt(below(most.toString().length) + 1))),
    part: (whole) => {
      const at = below(10)
      return at === 0 ? 0n : at < 6 ? whole : any(whole)
    },
  }
}

/**
 * A new world. Every sleeve has between one unit of cash and a million dollars; in one world of
 * ten, no more than dust. Costs are those of a paper market, zero or very high.
 */
export function bear(dice: Dice): World {
  const richest = dice.chance(0.1) ? DUST : RICHEST
  const cash = Array.from({ length: SLEEVES }, () => dice.size(richest))
  const bps = [10, 10, 0, 200][dice.below(4)] ?? 10
  return {
    pool: EMPTY_POOL,
    sleeves: cash.map((own) => ({ cash: own, base: 0n, units: 0n, stay: undefined })),
    price: LOWEST_PRICE * dice.size(HIGHEST_PRICE / LOWEST_PRICE),
    costs: { feeBps: bps, halfSpreadBps: bps / 5, slippageBps: bps / 2 },
    venue: NOTHING,
    rounding: NOTHING,
    invested: sum(cash),
  }
}

/** Factors of a price jump, in millionths: 0.0001, 0.5, 10 and 1,000. */
const JUMPS = [100n, 500_000n, 10_000_000n, 1_000_000_000n]

/** Moves the price by some percent or, once in ten times, by one of `JUMPS`. */
export function movePrice(world: World, dice: Dice): World {
  const millionths = dice.chance(0.1)
    ? (JUMPS[dice.below(JUMPS.length)] ?? 1_000_000n)
    : BigInt(900 + dice.below(212)) * 1_000n
  const price = (world.price * millionths) / 1_000_000n
  return { ...world, price: price < LOWEST_PRICE ? LOWEST_PRICE : minimum(price, HIGHEST_PRICE) }
}

/** Tops up a random sleeve; the money waits in its own cash. */
export function topUp(world: World, dice: Dice): World {
  const more = dice.size(RICHEST)
  return {
    ...changed(world, [{ index: dice.below(SLEEVES), cash: more }]),
    invested: world.invested + more,
  }
}

/** Additions to a sleeve. `stay`: undefined keeps the current one, null ends it. */
export type Gain = { index: number; cash?: Units; base?: Units; units?: bigint; stay?: Stay | null }

export function changed(world: World, gains: readonly Gain[]): World {
  const sleeves = [...world.sleeves]
  for (const { index, cash = 0n, base = 0n, units = 0n, stay } of gains) {
    const sleeve = sleeveAt(world, index)
    const after = {
      cash: sleeve.cash + cash,
      base: sleeve.base + base,
      units: sleeve.units + units,
    }
    sleeves[index] = { ...after, stay: stay === undefined ? sleeve.stay : (stay ?? undefined) }
  }
  return { ...world, sleeves }
}

const NOBODY: Sleeve = { ...NOTHING, units: 0n, stay: undefined }

export function sleeveAt(world: World, index: number): Sleeve {
  return world.sleeves[index] ?? NOBODY
}

/** Indices of sleeves for which `belongs` holds, each with probability `share`. */
export function someOf(
  world: World,
  { dice, share }: { dice: Dice; share: number },
  belongs: (sleeve: Sleeve) => boolean,
): number[] {
  return world.sleeves.flatMap((sleeve, index) =>
    belongs(sleeve) && dice.chance(share) ? [index] : [],
  )
}

/**
 * Widens the bounds of stays that continue: each joiner or leaver leaves them part of a pool unit.
 */
export function withGifts({ pool, sleeves }: World, change: Change): Change {
  const { world, members } = change
  if (pool.units === 0n || members === 0) return change
  const most = BigInt(members) * ((pool.base + pool.units - 1n) / pool.units + 2n)
  const widened = world.sleeves.map((sleeve, index) => {
    const { stay } = sleeve
    return stay && stay === sleeves[index]?.stay
      ? { ...sleeve, stay: { ...stay, above: stay.above + most } }
      : sleeve
  })
  return { ...change, world: { ...world, sleeves: widened } }
}

export const sum = (parts: readonly bigint[]): bigint =>
  parts.reduce((total, part) => total + part, 0n)

export function plus(assets: Assets, more: Partial<Assets>): Assets {
  return { cash: assets.cash + (more.cash ?? 0n), base: assets.base + (more.base ?? 0n) }
}
