import { assert } from '#core/assert.ts'
import {
  bear,
  diceFrom,
  movePrice,
  sleeveAt,
  topUp,
  NOTHING,
  type Change,
  type Dice,
  type World,
} from './life.ts'
import { judge } from './life-laws.ts'
import { enter, joinByOrder, pause, resume, tick } from './life-steps.ts'

/** Number of changes of each kind, which proves that all of them happened. */
export type Tally = Record<string, number>

const FEWEST_STEPS = 30
const MORE_STEPS = 50

/**
 * Runs the random life of a pool determined by `seed` and checks each change against the laws of a
 * pool. Throws if one is broken.
 */
export function liveOf(seed: number): Tally {
  const dice = diceFrom(seed)
  const tally: Tally = {}
  let world = bear(dice)
  for (let left = FEWEST_STEPS + dice.below(MORE_STEPS); left > 0; left -= 1) {
    for (const change of step(world, dice)) {
      judge(world, change)
      for (const word of wordsOf(world, change)) tally[word] = (tally[word] ?? 0) + 1
      world = change.world
    }
  }
  return tally
}

/**
 * Runs the lives of `count` seeds, starting with `from`. Throws an error with the seed if a life
 * breaks a law.
 */
export function checkLives({ from, count }: { from: number; count: number }): Tally {
  const all: Tally = {}
  for (let seed = from; seed < from + count; seed += 1) {
    for (const [word, times] of Object.entries(lived(seed))) all[word] = (all[word] ?? 0) + times
  }
  return all
}

function lived(seed: number): Tally {
  try {
    return liveOf(seed)
  } catch (error) {
    throw new Error(`life ${seed}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    })
  }
}

function step(world: World, dice: Dice): Change[] {
  const alone = (name: string, after: World): Change[] => [
    { name, kind: 'other', world: after, members: 0, dust: NOTHING },
  ]
  const steps = [enter, enter, joinByOrder, joinByOrder, tick, tick, tick, pause, resume]
  const at = dice.below(steps.length + 3)
  if (at === steps.length) return alone('top up', topUp(world, dice))
  return steps[at]?.(world, dice) ?? alone('price', movePrice(world, dice))
}

function wordsOf({ pool, sleeves }: World, { name, kind, world }: Change): string[] {
  assert(world.sleeves.length === sleeves.length, 'the number of sleeves is constant')
  const isPartial =
    kind === 'leave' &&
    sleeves.some(({ units }, index) => {
      const left = sleeveAt(world, index).units
      return left > 0n && left < units
    })
  const isEmptied = pool.units > 0n && world.pool.units === 0n
  return [name, ...(isPartial ? ['left in part'] : []), ...(isEmptied ? ['emptied'] : [])]
}
