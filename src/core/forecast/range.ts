import { swingOf } from './model.ts'
import type { ForecastRow } from './rows.ts'

/**
 * Ranges and chances from past moves, each divided by the swing forecast for it. `moves` and
 * `falls`: sorted, in swings.
 */
export type StandardMoves = { moves: readonly number[]; falls: readonly number[] }

/** Bounds of ln(close in 24 candles ÷ close). */
export type Range = { low: number; high: number }

/** Quantiles are published at 1/40 … 39/40. */
export const STEPS = 40

type Moves = Pick<ForecastRow, 'move' | 'fall'>

export function standardMoves(past: readonly { row: Moves; variance: number }[]): StandardMoves {
  const sorted = (of: (row: Moves) => number) =>
    Array.from(past, ({ row, variance }) => of(row) / swingOf(variance)).toSorted((a, b) => a - b)
  return { moves: sorted(({ move }) => move), falls: sorted(({ fall }) => fall) }
}

/** The value at index ⌊(n − 1)·p⌋ of `sorted`, with p in fortieths. */
export function quantileAt(sorted: readonly number[], step: number): number {
  return sorted[Math.floor(((sorted.length - 1) * step) / STEPS)] ?? 0
}

/** The range that leaves out `beyond` fortieths of past days at each end. */
export function rangeOf({ moves }: StandardMoves, swing: number, beyond: number): Range {
  return {
    low: swing * quantileAt(moves, beyond),
    high: swing * quantileAt(moves, STEPS - beyond),
  }
}

/** The 80 % range from published quantiles. */
export function range80Of({ moves }: StandardMoves, swing: number): Range {
  const quantile = (step: number) => swing * (moves[step - 1] ?? 0)
  return { low: quantile(STEPS / 10), high: quantile(STEPS - STEPS / 10) }
}

/** The fall whose chance is scored, a fraction. */
export const SCORED_FALL = 0.05

/** Chance, a fraction, that one of the next 24 closes is lower by `SCORED_FALL` or more. */
export function chanceOfFall({ falls }: StandardMoves, swing: number): number {
  return shareUpTo(falls, Math.log(1 - SCORED_FALL) / swing)
}

/** The fraction of sorted values that are `limit` or less. */
export function shareUpTo(sorted: readonly number[], limit: number): number {
  const above = sorted.findIndex((value) => value > limit)
  return above < 0 ? 1 : above / sorted.length
}
