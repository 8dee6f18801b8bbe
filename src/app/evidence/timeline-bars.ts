import { decimalToUnits } from '#core/money/decimal.ts'
import { extentOf } from '#app/ui/charts/curve.ts'

/** A bar that extends up (a gain) or down (a loss) from the zero line. */
type OutcomeBar = { x: number; y: number; width: number; height: number; gains: boolean }

type Box = { width: number; height: number }

/** Bars of `values` (percent, decimal text) in a box, and the y of its zero line. Every bar is at least 1 unit tall. */
export function barsOf(values: readonly string[], { width, height }: Box): { bars: OutcomeBar[]; zero: number } {
  const units = values.map(decimalToUnits)
  const { lowest, highest } = extentOf([0n, ...units])
  const range = highest - lowest || 1n
  const yOf = (value: bigint) => Number(((highest - value) * BigInt(height * 10)) / range) / 10
  const zero = yOf(0n)
  const step = width / Math.max(1, units.length)
  const bars = units.map((value, index): OutcomeBar => {
    const gains = value >= 0n
    const barHeight = Math.max(1, Math.abs(yOf(value) - zero))
    return { x: round(index * step), y: round(gains ? zero - barHeight : zero), width: round(step * 0.8), height: round(barHeight), gains }
  })
  return { bars, zero: round(zero) }
}

function round(length: number): number {
  return Math.round(length * 10) / 10
}
