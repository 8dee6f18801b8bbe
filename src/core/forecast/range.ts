import { AHEAD, type ForecastRow } from './rows.ts'

/**
 * Past moves, each divided by the swing forecast for it: ranges and chances are computed from them.
 * `moves` and `falls`: sorted, in swings.
 */
export type StandardMoves = { moves: readonly number[]; falls: readonly number[] }

/** Bounds of ln(close in 24 candles ÷ close). */
export type Range = { low: number; high: number }

/** Quantiles are published at 1/40 … 39/40. */
export const STEPS = 40

/** S = √(24·f): the standard deviation of the logarithmic return over the next 24 candles. */
export function swingOf(variance: number): number {
  return Math.sqrt(AHEAD * variance)
}

type Moves = Pick<ForecastRow, 'move' | 'fall'>

export function standardMoves(past: readonly { row: Moves; variance: number }[]): StandardMoves {
  const sorted = (of: (row: Moves) => number) =>
    past
      .map(({ row, variance }) => of(row) / swingOf(variance))
      .toSorted((one, other) => one - other)
  return { moves: sorted(({ move }) => move), falls: sorted(({ fall }) => fall) }
}

/** The value at index ⌊(n − 1)·p⌋ of `sorted`, with p in fortieths. */
export function quantileAt(sorted: readonly number[], step: number): number {
  return sorted[Math.floor(((sorted.length - 1) * step) / STEPS)] ?? 0
}

/** `percent`: 80 or 95, with equal shares of past days beyond either end. */
export function rangeOf({ moves }: StandardMoves, swing: number, percent: 80 | 95): Range {
  const beyond = ((100 - percent) / 200) * STEPS
  return {
    low: swing * quantileAt(moves, beyond),
    high: swing * quantileAt(moves, STEPS - beyond),
  }
}

/** Chance, a fraction, that one of the next 24 closes is lower by `fraction` or more. */
export function chanceOfFall(
  { falls }: StandardMoves,
  { swing, fraction }: { swing: number; fraction: number },
): number {
  return shareUpTo(falls, Math.log(1 - fraction) / swing)
}

/** The fraction of sorted values that are `limit` or less. */
export function shareUpTo(sorted: readonly number[], limit: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle] ?? 0) <= limit) low = middle + 1
    else high = middle
  }
  return low / sorted.length
}
