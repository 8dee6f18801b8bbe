import { uniformFrom } from '#core/market/seeded.ts'
import { minimum, ONE, type Units } from '#core/money/amount.ts'
import type { TradingCosts } from '#core/trading/costs.ts'
import { EMPTY_POOL, type Assets, type Pool } from '#core/pool/pool.ts'

/** Eight sleeves, their pool and all whom money can go to: enough to hold every formula of a pool to its laws. */
export type World = {
  pool: Pool
  sleeves: readonly Sleeve[]
  price: Units
  costs: TradingCosts
  /** What the venue got; below 0 where it gave. */
  venue: Assets
  rounding: Assets
  /** Cash that ever came in. */
  invested: Units
}

/** A bot's own cash and coins, and its units of the pool. */
export type Sleeve = Assets & { units: bigint; stay: Stay | undefined }

/** A stay with one entry: the coins that its derived trades make, and how far below and above them its claim may be. */
export type Stay = { coins: Units; below: Units; above: Units }

/** What happened to a world. Only joins and leaves have members: those who came or went. */
export type Change = {
  name: string
  kind: 'join' | 'leave' | 'trade' | 'other'
  world: World
  members: number
  /** Money and coins that the last to leave left behind. */
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
  /** 1 to `most`, every order of magnitude as likely as any other. */
  size: (most: bigint) => bigint
  /** From none to all of `whole`, both with a chance of their own. */
  part: (whole: bigint) => bigint
}

/** Dice that fall as `seed` has it. */
export function diceFrom(seed: number): Dice {
  const uniform = uniformFrom(seed)
  const below = (end: number): number => Math.floor(uniform() * end)
  const any = (most: bigint): bigint => ((BigInt(below(2 ** 30)) * 2n ** 30n + BigInt(below(2 ** 30))) * most) >> 60n
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
 * A new world: every sleeve has from one unit of cash to a million dollars, in some worlds nobody more than dust. Costs are those of a
 * paper market, none, or very high.
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

/** To a ten-thousandth, a half, ten times and a thousand times; in millionths. */
const JUMPS = [100n, 500_000n, 10_000_000n, 1_000_000_000n]

/** A price moves by some percent, or falls to a ten-thousandth, or rises a thousandfold. */
export function movePrice(world: World, dice: Dice): World {
  const millionths = dice.chance(0.1) ? JUMPS[dice.below(JUMPS.length)] ?? 1_000_000n : BigInt(900 + dice.below(212)) * 1_000n
  const price = (world.price * millionths) / 1_000_000n
  return { ...world, price: price < LOWEST_PRICE ? LOWEST_PRICE : minimum(price, HIGHEST_PRICE) }
}

/** Somebody puts more money into a bot; it waits with the sleeve. */
export function topUp(world: World, dice: Dice): World {
  const more = dice.size(RICHEST)
  return { ...changed(world, [{ index: dice.below(SLEEVES), cash: more }]), invested: world.invested + more }
}

/** What a change adds to a sleeve. `stay`: undefined leaves the one it has; null ends it. */
export type Gain = { index: number; cash?: Units; base?: Units; units?: bigint; stay?: Stay | null }

export function changed(world: World, gains: readonly Gain[]): World {
  const sleeves = [...world.sleeves]
  for (const { index, cash = 0n, base = 0n, units = 0n, stay } of gains) {
    const sleeve = sleeveAt(world, index)
    const after = { cash: sleeve.cash + cash, base: sleeve.base + base, units: sleeve.units + units }
    sleeves[index] = { ...after, stay: stay === undefined ? sleeve.stay : stay ?? undefined }
  }
  return { ...world, sleeves }
}

const NOBODY: Sleeve = { ...NOTHING, units: 0n, stay: undefined }

export function sleeveAt(world: World, index: number): Sleeve {
  return world.sleeves[index] ?? NOBODY
}

/** The sleeves that `belongs` names, each with a chance of its own. */
export function someOf(world: World, { dice, share }: { dice: Dice; share: number }, belongs: (sleeve: Sleeve) => boolean): number[] {
  return world.sleeves.flatMap((sleeve, index) => (belongs(sleeve) && dice.chance(share) ? [index] : []))
}

/** The change with more room for the coins of those who stayed inside: each who comes or goes leaves them part of a pool unit. */
export function withGifts({ pool, sleeves }: World, change: Change): Change {
  const { world, members } = change
  if (pool.units === 0n || members === 0) return change
  const most = BigInt(members) * ((pool.base + pool.units - 1n) / pool.units + 2n)
  const widened = world.sleeves.map((sleeve, index) => {
    const { stay } = sleeve
    return stay && stay === sleeves[index]?.stay ? { ...sleeve, stay: { ...stay, above: stay.above + most } } : sleeve
  })
  return { ...change, world: { ...world, sleeves: widened } }
}

export const sum = (parts: readonly bigint[]): bigint => parts.reduce((total, part) => total + part, 0n)

export function plus(assets: Assets, more: Partial<Assets>): Assets {
  return { cash: assets.cash + (more.cash ?? 0n), base: assets.base + (more.base ?? 0n) }
}
