import { maximum, type Units } from '#core/money/amount.ts'
import { multiplyDivideFloor } from '#core/money/rounding.ts'
import type { EquityPoint } from '#core/strategy/metrics.ts'

/** Owner's money in (`amount` > 0) or out (< 0, net of the platform fee). */
export type MoneyMove = { timeMs: number; amount: Units }

/** 100 million dollars, so that digits remain after a near-total loss. */
const START: Units = 10n ** 16n

/** One cent. Below it, rounding moves equity more than the market does. */
const LEAST: Units = 1_000_000n

/**
 * Time-weighted growth of `START`: money in and out is no gain or loss. Within a step, top-ups
 * count from the start and take-outs until the end; so a step from right before a move to the move
 * itself shows no growth. Equity and take-outs are after the fee; `moves` are in order of time.
 */
export function growthOf(
  curve: readonly EquityPoint[],
  moves: readonly MoneyMove[],
): EquityPoint[] {
  let before: EquityPoint | undefined
  let level = START
  let passed = 0
  return curve.map((point) => {
    const { timeMs } = point
    let [putIn, takenOut] = [0n, 0n]
    for (let move = moves[passed]; move && move.timeMs <= timeMs; move = moves[passed]) {
      if (move.amount > 0n) putIn += move.amount
      else takenOut -= move.amount
      passed += 1
    }
    if (before) level = grown(level, { start: before.equity + putIn, end: point.equity + takenOut })
    before = point
    return { timeMs, equity: level }
  })
}

/**
 * The level after a step; at least one unit, so that money put in after a total loss can grow
 * again.
 */
function grown(level: Units, { start, end }: { start: Units; end: Units }): Units {
  return start < LEAST
    ? level
    : maximum(1n, multiplyDivideFloor({ a: level, b: end, divisor: start }))
}
