import type { CurvePoint } from '#contract/wire.ts'

/**
 * A curve of about `points` that goes on to `now`: its last point moves along until it is as far
 * from the one before as the others are.
 */
export function grownCurve(
  curve: readonly CurvePoint[],
  now: CurvePoint,
  points: number,
): CurvePoint[] {
  const [first, before, last] = [curve[0], curve.at(-2), curve.at(-1)]
  if (!first || !last) return [now]
  const stepMs = (Date.parse(last.at) - Date.parse(first.at)) / points
  const isDue =
    last.at < now.at && (!before || Date.parse(last.at) - Date.parse(before.at) >= stepMs)
  return [...(isDue ? curve : curve.slice(0, -1)), now]
}

/** From the last point at or before `fromMs` on. */
export function curveFrom(curve: readonly CurvePoint[], fromMs: number): readonly CurvePoint[] {
  return curve.slice(
    Math.max(
      0,
      curve.findLastIndex(({ at }) => Date.parse(at) <= fromMs),
    ),
  )
}
