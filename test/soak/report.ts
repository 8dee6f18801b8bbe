import { unitsToDecimal } from '#core/money/decimal.ts'
import { openSleeves } from './compare.ts'
import type { SoakReport } from './soak.ts'

/** The figures of a run, as lines to print. */
export function reportOf({
  operations,
  world,
  days,
  seconds,
  sha256,
  timesMs,
}: SoakReport): string[] {
  const { model, figures, venue, people } = world
  const { changes, lots, members, blocks, fees, largestRounding } = model.figures
  const acts = Object.entries(operations).map(
    ([name, { done, refused }]) => `${name} ${done}${refused > 0 ? ` (refused ${refused})` : ''}`,
  )
  return [
    `${days} days in ${Math.round(seconds)} s: ${people.length} users, ${model.bots.size} ` +
      `bots, ${openSleeves(model)} sleeves of open bots`,
    `operations: ${acts.join(', ')}`,
    `pools: ${counts(changes)}; ${blocks} blocks, ${lots} lots of ${members} members`,
    `venue: ${counts(venue.figures)}`,
    `faults: ${counts(figures.faults)}; ${figures.repeated} statements run again, of ` +
      `${figures.statements} in ${figures.transactions} transactions`,
    `fees ${unitsToDecimal(fees, 2)}; largest rounding of a movement ${largestRounding} units ` +
      'of USD',
    `time: ${Object.entries(timesMs)
      .map(([name, ms]) => `${name} ${Math.round(ms / 100) / 10} s`)
      .join(', ')}`,
    `sha256 of all changes of pools: ${sha256}`,
  ]
}

const counts = (of: Record<string, number>): string =>
  Object.entries(of)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([word, times]) => `${word} ${times}`)
    .join(', ')
