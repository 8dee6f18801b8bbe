import { ONE, type Units } from '#core/money/amount.ts'
import { decimalToUnits } from '#core/money/decimal.ts'

/** A figure as a number, which only pictures are made of. */
export function signalOf(decimal: string): number {
  return Number(decimalToUnits(decimal)) / Number(ONE)
}

/** A price times this is the price after a change of `percent`. */
export function factorOf(percent: string): number {
  return 1 + signalOf(percent) / 100
}

export function unitsOfSignal(signal: number): Units {
  return BigInt(Math.round(signal * Number(ONE)))
}
