import { uniformFrom } from '#core/market/seeded.ts'

/** The seed of all random tests; `TEST_SEED` overrides it. A failing run prints it. */
export const SEED = Number(process.env['TEST_SEED'] ?? 20_250_919)

export type Random = {
  /** 0 to `end` − 1. */
  below: (end: number) => number
  chance: (share: number) => boolean
  pick: <Item>(items: readonly Item[]) => Item
  /** 1 to `most`, with every order of magnitude equally likely. */
  units: (most: bigint) => bigint
}

/** Random values determined by `seed` alone. */
export function randomFrom(seed: number): Random {
  const uniform = uniformFrom(seed)
  const below = (end: number): number => Math.floor(uniform() * end)
  return {
    below,
    chance: (share) => uniform() < share,
    pick: (items) => {
      const item = items[below(items.length)]
      if (item === undefined) throw new Error('nothing to pick from')
      return item
    },
    units: (most) => {
      const digits = most.toString().length
      const ceiling = 10n ** BigInt(1 + below(digits))
      const drawn = 1n + ((BigInt(below(2 ** 30)) * 2n ** 30n + BigInt(below(2 ** 30))) % ceiling)
      return drawn > most ? most : drawn
    },
  }
}
