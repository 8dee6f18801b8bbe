import { ONE, type Units } from '#core/money/amount.ts'
import { decimalToUnits } from '#core/money/decimal.ts'
import { extentOf } from '#app/ui/charts/curve.ts'

/** A bar that extends up (a gain) or down (a loss) from the zero line. */
type OutcomeBar = { x: number; y: number; width: number; height: number; gains: boolean }

type Box = { width: number; height: number }

/** A line across the bars at a whole percentage. */
type PercentLine = { y: number; percent: number }

/**
 * The scale reaches at least this far to both sides of zero, so that a scale of calm years has
 * lines too.
 */
const LEAST: Units = decimalToUnits('25.00')
/** Lines stand a quarter, or where they would be crowded a half or a whole apart. */
const STEPS = [25, 50, 100, 500, 1_000]
const MOST_LINES = 5

/**
 * Bars of `values` (percent, decimal text) in a box, the y of its zero line, and the lines of its
 * scale. Every bar is at least 1 unit tall.
 */
export function barsOf(
  values: readonly string[],
  { width, height }: Box,
): { bars: OutcomeBar[]; zero: number; lines: PercentLine[] } {
  const units = values.map(decimalToUnits)
  const { lowest, highest } = extentOf([-LEAST, LEAST, ...units])
  const range = highest - lowest
  const yOf = (value: bigint) => Number(((highest - value) * BigInt(height * 10)) / range) / 10
  const zero = yOf(0n)
  const step = width / Math.max(1, units.length)
  const bars = units.map((value, index): OutcomeBar => {
    const gains = value >= 0n
    const barHeight = Math.max(1, Math.abs(yOf(value) - zero))
    return {
      x: round(index * step),
      y: round(gains ? zero - barHeight : zero),
      width: round(step * 0.8),
      height: round(barHeight),
      gains,
    }
  })
  const lines = percentsIn({ lowest, highest }).map((percent) => ({
    y: round(yOf(BigInt(percent) * ONE)),
    percent,
  }))
  return { bars, zero: round(zero), lines }
}

function percentsIn({ lowest, highest }: { lowest: Units; highest: Units }): number[] {
  const [from, to] = [
    Math.ceil(Number(lowest) / Number(ONE)),
    Math.floor(Number(highest) / Number(ONE)),
  ]
  for (const step of STEPS) {
    const first = Math.ceil(from / step)
    const count = Math.floor(to / step) - first + 1
    if (count <= MOST_LINES)
      return Array.from({ length: count }, (_, index) => (first + index) * step)
  }
  return [0]
}

function round(length: number): number {
  return Math.round(length * 10) / 10
}
