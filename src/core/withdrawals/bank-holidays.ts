import { DAY_MS } from '#core/market/candle.ts'

/**
 * Holidays of the Federal Reserve Banks, on which no payment of a US bank settles. Source: Federal
 * Reserve Board, release K.8, "Holidays Observed by the Federal Reserve System 2026-2030"
 * (federalreserve.gov/aboutthefed/k8.htm, updated 2025-12-31), whose footnotes give the rules for
 * weekends. `month` counts from 1. `weekday`: 0 is Sunday; `nth`: its place in the month, -1 for
 * the last.
 */
const HOLIDAYS: readonly ({ month: number } & (
  | { day: number }
  | { weekday: number; nth: number }
))[] = [
  { month: 1, day: 1 },
  { month: 1, weekday: 1, nth: 3 },
  { month: 2, weekday: 1, nth: 3 },
  { month: 5, weekday: 1, nth: -1 },
  { month: 6, day: 19 },
  { month: 7, day: 4 },
  { month: 9, weekday: 1, nth: 1 },
  { month: 10, weekday: 1, nth: 2 },
  { month: 11, day: 11 },
  { month: 11, weekday: 4, nth: 4 },
  { month: 12, day: 25 },
]

/**
 * Closed days of a year, at 0:00 UTC in milliseconds. A holiday on a Sunday moves to Monday; on a
 * Saturday it is dropped.
 */
export function bankHolidays(year: number): number[] {
  return HOLIDAYS.flatMap((holiday) => {
    if ('nth' in holiday) return [nthWeekday(year, holiday)]
    const atMs = Date.UTC(year, holiday.month - 1, holiday.day)
    const weekday = new Date(atMs).getUTCDay()
    if (weekday === 6) return []
    return [weekday === 0 ? atMs + DAY_MS : atMs]
  })
}

function nthWeekday(
  year: number,
  { month, weekday, nth }: { month: number; weekday: number; nth: number },
): number {
  const firstMs = Date.UTC(year, month - 1, 1)
  const lastMs = Date.UTC(year, month, 0)
  const until = (weekday - new Date(firstMs).getUTCDay() + 7) % 7
  const since = (new Date(lastMs).getUTCDay() - weekday + 7) % 7
  return nth < 0 ? lastMs - since * DAY_MS : firstMs + (until + (nth - 1) * 7) * DAY_MS
}
