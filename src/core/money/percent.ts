import type { Units } from './amount.ts'
import { unitsToDecimal } from './decimal.ts'
import { multiplyDivideFloor } from './rounding.ts'

/** 100 percent in basis points, which are hundredths of a percent. */
export const ALL_BPS = 10_000n
export const BPS_PER_PERCENT = 100

const UNITS_PER_BPS = 1_000_000n

/** Basis points in percent with 2 decimals: 1,234 as '12.34'. */
export function percentOfBps(bps: bigint | number): string {
  return unitsToDecimal(BigInt(bps) * UNITS_PER_BPS, 2)
}

/**
 * `part` of `whole` in percent with 2 decimals, floored like the amounts beside it: '12.34',
 * '-0.50'. '0.00' if `whole` is 0.
 */
export function percentOf({ part, whole }: { part: Units; whole: Units }): string {
  if (whole <= 0n) return '0.00'
  return percentOfBps(multiplyDivideFloor({ a: part, b: ALL_BPS, divisor: whole }))
}

/** `part` of `whole` in whole percents, halves up: '34'. '0' if `whole` is 0. */
export function wholePercentOf({ part, whole }: { part: Units; whole: Units }): string {
  return whole > 0n ? String((200n * part + whole) / (2n * whole)) : '0'
}

/** A fraction such as a drawdown (a signal, not money) in percent with 2 decimals. */
export function percentOfFraction(fraction: number): string {
  return percentOfBps(Math.round(fraction * 10_000))
}

/**
 * Like `percentOfFraction`, for a loss: rounded up, so that it is never shown smaller than it was,
 * nor smaller than the amount beside it.
 */
export function percentLost(fraction: number): string {
  return percentOfBps(Math.ceil(fraction * 10_000 - 1e-9))
}

/**
 * Change from 1 to `ratio` in percent with 2 decimals, rounded down, so that rounding never makes a
 * gain larger. A ratio that misses a whole hundredth only by its last bits counts as that
 * hundredth.
 */
export function percentGained(ratio: number): string {
  return percentOfBps(Math.floor((ratio - 1) * 10_000 + 1e-6))
}
