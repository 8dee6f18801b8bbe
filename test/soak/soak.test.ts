import { expect, inject, test } from 'vitest'
import { reportOf } from './report.ts'
import { soak, type SoakReport } from './soak.ts'
import { lengthOf } from '../world/length.ts'
import { SEED } from '../world/random.ts'

const USERS = 40
const BOTS = 120

/** One seed is fixed, and the other is the seed of all random tests. */
test.each([
  { seed: 1, days: lengthOf({ usual: 6, full: 30 }) },
  { seed: SEED % 1_000_000, days: lengthOf({ usual: 3, full: 4 }) },
])('$days days of seed $seed agree with the model to the unit', async ({ seed, days }) => {
  const report = await soak({
    seed,
    days,
    until: days,
    users: USERS,
    bots: BOTS,
    postgresUrl: inject('postgresUrl'),
  })
  console.info(reportOf(report).join('\n'))
  expect(missing(report)).toEqual([])
})

/** Changes, operations and faults that did not occur, and so were not tested. */
function missing({ operations, world }: SoakReport): string[] {
  const { changes } = world.model.figures
  const { faults } = world.figures
  const kinds = ['trade', 'join', 'leave', 'pause'].filter((kind) => (changes[kind] ?? 0) === 0)
  const acts = [
    'deposit',
    'create a bot',
    'top up a bot',
    'take out of a bot',
    'change a bot',
    'close a bot',
  ].filter((name) => (operations[name]?.done ?? 0) === 0)
  return [...kinds, ...acts, ...(Object.keys(faults).length > 2 ? [] : ['faults'])]
}
