import { DAY_MS } from '#core/market/candle.ts'
import type { Units } from '#core/money/amount.ts'
import { multiplyDivideFloor } from '#core/money/rounding.ts'
import { ALL_BPS } from '#core/money/percent.ts'

/** Highest yearly rate that an operator can set, in basis points. */
export const MOST_CASH_YIELD_BPS = 2_000

const DAYS_A_YEAR = 365n

/**
 * One day's interest: the yearly rate (basis points) divided by 365, floored. Paid at midnight
 * (UTC) on the cash held before the trades of that hour; it compounds.
 */
export function interestOf(cash: Units, rateBps: number): Units {
  return multiplyDivideFloor({ a: cash, b: BigInt(rateBps), divisor: ALL_BPS * DAYS_A_YEAR })
}

/** The first midnight (UTC) after a time. */
export function midnightAfter(timeMs: number): number {
  return (Math.floor(timeMs / DAY_MS) + 1) * DAY_MS
}

/** Midnights after `fromMs`, up to and including `toMs`. */
export function midnightsBetween({ fromMs, toMs }: { fromMs: number; toMs: number }): number[] {
  const first = midnightAfter(fromMs)
  return Array.from(
    { length: Math.max(0, Math.floor((toMs - first) / DAY_MS) + 1) },
    (_, day) => first + day * DAY_MS,
  )
}

/** Yearly rate, in basis points. */
export type CashYield = { midnightMs: number; rateBps: number }
