import { maximum, type Units } from '#core/money/amount.ts'
import { multiplyDivideFloor } from '#core/money/rounding.ts'
import type { EquityPoint } from '#core/strategy/metrics.ts'

/** Money of a bot's owner at a market time: `amount` above 0 was put in, below 0 it was got out, after the platform's fee. */
export type MoneyMove = { timeMs: number; amount: Units }

/** What growth begins at: a hundred million dollars, so that a fall to nothing still has digits. */
const BEGIN: Units = 10n ** 16n

/** A cent. Of less, rounding moves a larger part than the market does. */
const LEAST: Units = 1_000_000n

/**
 * What `BEGIN` would have become, put in at the first point and left alone: the curve without what its owner put in and took out
 * (time-weighted). Money counts as put in at the start of the step in which it came, and as got out at the end: with a point right before a
 * move and one at it, the move alone is no growth. `curve` is worth after the closing fee, so what was got out is too. `moves` rise.
 */
export function growthOf(curve: readonly EquityPoint[], moves: readonly MoneyMove[]): EquityPoint[] {
  let before: EquityPoint | undefined
  let level = BEGIN
  let passed = 0
  return curve.map((point) => {
    const { timeMs } = point
    let [put, got] = [0n, 0n]
    for (let move = moves[passed]; move && move.timeMs <= timeMs; move = moves[passed]) {
      if (move.amount > 0n) put += move.amount
      else got -= move.amount
      passed += 1
    }
    if (before) level = grown(level, { start: before.equity + put, end: point.equity + got })
    before = point
    return { timeMs, equity: level }
  })
}

/** At least a unit is left of everything: what is put in later goes on from there. */
function grown(level: Units, { start, end }: { start: Units; end: Units }): Units {
  return start < LEAST ? level : maximum(1n, multiplyDivideFloor({ a: level, b: end, divisor: start }))
}
