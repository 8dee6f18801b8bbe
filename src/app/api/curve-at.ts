import type { BalanceCurve, Portfolio } from '#contract/market.ts'
import { RANGE_DAYS } from '#contract/query-values.ts'
import {
  CURVE_POINTS,
  curveFrom,
  grownByHour,
  grownCurve,
  stepsFrom,
} from '#core/bots/growing-curve.ts'
import { DAY_MS } from '#core/market/candle.ts'
import { curveTo } from './curve-to.ts'

/**
 * The curve as the server would compute it now: it ends at the portfolio, and its start moves on. A
 * portfolio older than the end does not change the curve.
 */
export function curveAt(past: BalanceCurve, portfolio: Portfolio): BalanceCurve {
  const { at, totalBalance: value } = portfolio
  if (at <= (past.curve.at(-1)?.at ?? '')) return past
  const { withoutTrading, moneyMarks, ...known } = curveTo(past, portfolio)
  const nowMs = Date.parse(at)
  const day = curveFrom(grownByHour(past.day, { at, value }), nowMs - DAY_MS)
  // The range of a day must show the day's whole change, so it begins no later than the day.
  const fromMs = Math.min(nowMs - RANGE_DAYS[past.range] * DAY_MS, Date.parse(day[0]?.at ?? at))
  const curve = curveFrom(grownCurve(past.curve, { at, value }, CURVE_POINTS), fromMs)
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
