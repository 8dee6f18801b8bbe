import { assert } from '#core/assert.ts'
import type { Units } from '#core/money/amount.ts'
import type { Window } from './universe.ts'

/** `end`: cash after the bot was sold. */
export type WindowOutcome = { window: Window; end: Units }

/** Each figure is that of an actual window; of two middle ones, the median is the lower. */
export type Distribution = {
  median: WindowOutcome
  worst: WindowOutcome
  best: WindowOutcome
  /** First decile. */
  lower: WindowOutcome
  /** Ninth decile. */
  upper: WindowOutcome
  /** Number of windows that ended below the investment. */
  losing: number
  /** Number of windows that reached the target. */
  reached: number
}

export function distributionOf(
  outcomes: readonly WindowOutcome[],
  { invested, targetPercent }: { invested: Units; targetPercent: number },
): Distribution {
  const sorted = outcomes.toSorted((a, b) => (a.end < b.end ? -1 : a.end > b.end ? 1 : 0))
  const last = sorted.length - 1
  const target = (invested * BigInt(100 + targetPercent)) / 100n
  return {
    worst: at(sorted, 0),
    lower: at(sorted, Math.floor(last * 0.1)),
    median: at(sorted, Math.floor(last / 2)),
    upper: at(sorted, last - Math.floor(last * 0.1)),
    best: at(sorted, last),
    losing: outcomes.filter(({ end }) => end < invested).length,
    reached: outcomes.filter(({ end }) => end >= target).length,
  }
}

function at(sorted: readonly WindowOutcome[], index: number): WindowOutcome {
  const outcome = sorted[index]
  assert(outcome, 'a distribution has at least one outcome')
  return outcome
}
