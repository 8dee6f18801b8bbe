import { ONE, type Units } from './amount.ts'
import { decimalToUnits } from './decimal.ts'

/** A decimal as a floating-point number, for drawing only. */
export function signalOf(decimal: string): number {
  return Number(decimalToUnits(decimal)) / Number(ONE)
}

/** The nearest units of a figure that was computed with floating-point numbers, never of money. */
export function unitsOfSignal(signal: number): Units {
  return BigInt(Math.round(signal * Number(ONE)))
}

/** Floors a price that has a fraction of a unit, such as a midline. */
export function flooredUnits(price: number): Units {
  return BigInt(Math.floor(price))
}
