import type { Units } from './amount.ts'
import { unitsToDecimal } from './decimal.ts'
import { multiplyDivideFloor } from './rounding.ts'

/**
 * `part` of `whole` in percent with 2 decimals, floored like the amounts beside it: '12.34',
 * '-0.50'. '0.00' where there is no whole.
 */
export function percentOf({ part, whole }: { part: Units; whole: Units }): string {
  if (whole <= 0n) return '0.00'
  const hundredths = multiplyDivideFloor({ a: part, b: 10_000n, divisor: whole })
  return unitsToDecimal(hundredths * 1_000_000n, 2)
}

/** A fraction such as a drawdown (a signal, not money) in percent with 2 decimals. */
export function percentOfFraction(fraction: number): string {
  return unitsToDecimal(BigInt(Math.round(fraction * 10_000)) * 1_000_000n, 2)
}

/**
 * The same of a loss, rounded up: it is never shown smaller than it was, nor than an amount lost
 * that is floored beside it.
 */
export function percentLost(fraction: number): string {
  return unitsToDecimal(BigInt(Math.ceil(fraction * 10_000 - 1e-9)) * 1_000_000n, 2)
}
