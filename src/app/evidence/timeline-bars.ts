import { decimalToUnits } from '#core/money/decimal.ts'

/** A bar of the drawing, from the line of zero up (a gain) or down (a loss). */
export type OutcomeBar = { x: number; y: number; width: number; height: number; gains: boolean }

/** Bars of `values` (percent, decimal text) in a box, and where its line of zero lies. Every bar is at least a hair tall. */
export function barsOf(values: readonly string[], { width, height }: { width: number; height: number }): { bars: OutcomeBar[]; zero: number } {
  const units = values.map(decimalToUnits)
  const highest = units.reduce((most, value) => (value > most ? value : most), 0n)
  const lowest = units.reduce((least, value) => (value < least ? value : least), 0n)
  const range = highest - lowest || 1n
  const place = (value: bigint) => Number(((highest - value) * BigInt(height * 10)) / range) / 10
  const zero = place(0n)
  const step = width / Math.max(1, units.length)
  const bars = units.map((value, index): OutcomeBar => {
    const gains = value >= 0n
    const tall = Math.max(1, Math.abs(place(value) - zero))
    return { x: round(index * step), y: round(gains ? zero - tall : zero), width: round(step * 0.8), height: round(tall), gains }
  })
  return { bars, zero: round(zero) }
}

function round(length: number): number {
  return Math.round(length * 10) / 10
}
