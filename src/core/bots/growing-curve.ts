import { floorHour } from '#core/market/candle.ts'
import { decimalToUnits, unitsToDecimal } from '#core/money/decimal.ts'

/** `at`: ISO 8601, in UTC, so that later times are greater texts. `value`: a decimal. */
type Point = { at: string; value: string }

/** Maximum points of a balance's or a bot's curve. */
export const CURVE_POINTS = 100

/**
 * Extends a curve of about `points` points to `now`. The last point moves on until it is as far
 * from the previous one as the others are; then a new point begins.
 */
export function grownCurve(curve: readonly Point[], now: Point, points: number): Point[] {
  const [first, before, last] = [curve[0], curve.at(-2), curve.at(-1)]
  if (!first || !last) return [now]
  const stepMs = (Date.parse(last.at) - Date.parse(first.at)) / points
  const isDue =
    last.at < now.at && (!before || Date.parse(last.at) - Date.parse(before.at) >= stepMs)
  return [...(isDue ? curve : curve.slice(0, -1)), now]
}

/** Adds `now` to a curve of whole hours if its hour has no point yet. */
export function grownByHour(curve: readonly Point[], now: Point): readonly Point[] {
  const isNew = floorHour(Date.parse(now.at)) > floorHour(Date.parse(curve.at(-1)?.at ?? now.at))
  return isNew ? [...curve, now] : curve
}

/** The curve from its last point at or before `fromMs`, so that it covers all time since. */
export function curveFrom(curve: readonly Point[], fromMs: number): Point[] {
  const start = curve.findLastIndex(({ at }) => Date.parse(at) <= fromMs)
  return curve.slice(Math.max(0, start))
}

/**
 * Steps of money put in, from the first point of a shown range on: an earlier gain counts as money
 * put in, because it is not a gain of the range.
 */
export function stepsFrom(first: Point, steps: readonly Point[]): Point[] {
  const held = steps.findLast(({ at }) => at <= first.at) ?? first
  const gained = decimalToUnits(first.value) - decimalToUnits(held.value)
  const later = steps.filter(({ at }) => at > first.at)
  return [
    first,
    ...later.map(({ at, value }) => ({
      at,
      value: unitsToDecimal(decimalToUnits(value) + gained, 2),
    })),
  ]
}
