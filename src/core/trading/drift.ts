import { assert } from '#core/assert.ts'
import { ONE, type Units } from '#core/money/amount.ts'
import { multiplyDivideCeil, multiplyDivideFloor } from '#core/money/rounding.ts'
import { ALL_BPS } from '#core/money/percent.ts'
import type { Position } from './position.ts'

type Holdings = Pick<Position, 'cash' | 'base'>

/** The target exposure, and the deviation allowed to price moves, in basis points. */
type DriftBand = { exposureBps: number; driftBps: number }

/**
 * A close at or above `above`, or at or below `below`, means that the coins have left their band.
 */
export type DriftPrices = { above: Units; below: Units }

/** Undefined without coins. Valid until the next trade. */
export function driftPrices(
  { cash, base }: Holdings,
  { exposureBps, driftBps }: DriftBand,
): DriftPrices | undefined {
  if (base === 0n) return undefined
  const [low, high] = [BigInt(exposureBps - driftBps), BigInt(exposureBps + driftBps)]
  assert(low > 0n && high < ALL_BPS, 'a band lies between no coins and nothing but coins')
  return {
    above: multiplyDivideCeil({ a: cash * ONE, b: high, divisor: base * (ALL_BPS - high) }),
    below: multiplyDivideFloor({ a: cash * ONE, b: low, divisor: base * (ALL_BPS - low) }),
  }
}

/** The coins' share of the holdings' value at `price`, in basis points, floored. */
export function weightBps({ cash, base }: Holdings, price: Units): number {
  const weight = multiplyDivideFloor({
    a: base * price,
    b: ALL_BPS,
    divisor: cash * ONE + base * price,
  })
  return Number(weight)
}

/**
 * The applied exposure after a close: the actual exposure if it has left the band. It then differs
 * from the target, and the difference is traded like a new target, even after a restart, a halt or
 * a partial fill.
 */
export function appliedAfterClose(
  position: Pick<Position, 'cash' | 'base' | 'appliedBps'>,
  { close, ...band }: DriftBand & { close: Units },
): number {
  const prices = driftPrices(position, band)
  const isOutside = prices !== undefined && (close >= prices.above || close <= prices.below)
  return isOutside ? weightBps(position, close) : position.appliedBps
}
