import { ONE, type Units } from '#core/money/amount.ts'
import { decimalToUnits } from '#core/money/decimal.ts'

/** A figure as a floating-point number, for drawing only. */
export function signalOf(decimal: string): number {
  return Number(decimalToUnits(decimal)) / Number(ONE)
}

/** The factor of a price after a change of `percent`. */
export function factorOf(percent: string): number {
  return 1 + signalOf(percent) / 100
}

export function unitsOfSignal(signal: number): Units {
  return BigInt(Math.round(signal * Number(ONE)))
}
