import type { BalanceCurve, Portfolio } from '#contract/market.ts'
import { RANGE_DAYS } from '#contract/query-values.ts'
import type { CurvePoint } from '#contract/wire.ts'
import { DAY_MS, floorHour } from '#core/market/candle.ts'
import { differenceOf, sumOf } from '#app/ui/money/amount-text.ts'
import { curveTo } from './curve-to.ts'

const POINTS = 160

/**
 * The curve as the server would compute it now: it ends at the portfolio, and its start moves on. A
 * portfolio older than the end does not change the curve.
 */
export function curveAt(past: BalanceCurve, portfolio: Portfolio): BalanceCurve {
  const { at, totalBalance: value } = portfolio
  if (at <= (past.curve.at(-1)?.at ?? '')) return past
  const { withoutTrading, moneyMarks, ...known } = curveTo(past, portfolio)
  const nowMs = Date.parse(at)
  const day = pointsFrom(hourly(past.day, { at, value }), nowMs - DAY_MS)
  // The range of a day must show the day's whole change, so it begins no later than the day.
  const fromMs = Math.min(nowMs - RANGE_DAYS[past.range] * DAY_MS, Date.parse(day[0]?.at ?? at))
  const curve = pointsFrom(grownCurve(past.curve, { at, value }, POINTS), fromMs)
  const [first = { at, value }] = curve
  return {
    ...known,
    curve,
    day,
    withoutTrading:
      first.at === past.curve[0]?.at ? withoutTrading : stepsFrom(first, withoutTrading),
    moneyMarks: moneyMarks.filter((mark) => mark.at >= first.at),
  }
}

function hourly(day: readonly CurvePoint[], now: CurvePoint): readonly CurvePoint[] {
  const isNew = floorHour(Date.parse(now.at)) > floorHour(Date.parse(day.at(-1)?.at ?? now.at))
  return isNew ? [...day, now] : day
}

/**
 * Steps of money, from the first point of the curve on: an earlier gain is not a gain of the range.
 */
function stepsFrom(first: CurvePoint, steps: readonly CurvePoint[]): CurvePoint[] {
  const held = steps.findLast(({ at }) => at <= first.at) ?? first
  const gained = differenceOf(first.value, held.value)
  return [
    first,
    ...steps
      .filter(({ at }) => at > first.at)
      .map(({ at, value }) => ({ at, value: sumOf(value, gained) })),
  ]
}

/**
 * Extends a curve of about `points` points to `now`. The last point moves on until it is as far
 * from the previous one as the others are; then a new point begins.
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

function pointsFrom(curve: readonly CurvePoint[], fromMs: number): CurvePoint[] {
  return curve.slice(
    Math.max(
      0,
      curve.findLastIndex(({ at }) => Date.parse(at) <= fromMs),
    ),
  )
}
