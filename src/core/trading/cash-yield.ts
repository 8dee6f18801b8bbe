import { DAY_MS } from '#core/market/candle.ts'
import type { Units } from '#core/money/amount.ts'
import { multiplyDivideFloor } from '#core/money/rounding.ts'
import { ALL_BPS } from './costs.ts'

/** The highest yearly rate that an operator can set, in basis points. */
export const MOST_CASH_YIELD_BPS = 2_000

const DAYS_A_YEAR = 365n

/**
 * Interest of one day on idle cash: the yearly rate, in basis points, divided by 365, floored. It
 * is paid at midnight (UTC) on the cash held before the trades of that hour and becomes cash
 * itself, so that the next day earns on it too.
 */
export function interestOf(cash: Units, rateBps: number): Units {
  return multiplyDivideFloor({ a: cash, b: BigInt(rateBps), divisor: ALL_BPS * DAYS_A_YEAR })
}

/**
 * The first midnight (UTC) after `timeMs`: cash that is there at a midnight has earned from the one
 * before.
 */
export function midnightAfter(timeMs: number): number {
  return (Math.floor(timeMs / DAY_MS) + 1) * DAY_MS
}

/** The midnights after `fromMs` up to and including `toMs`. */
export function midnightsBetween({ fromMs, toMs }: { fromMs: number; toMs: number }): number[] {
  const first = midnightAfter(fromMs)
  return Array.from(
    { length: Math.max(0, Math.floor((toMs - first) / DAY_MS) + 1) },
    (_, day) => first + day * DAY_MS,
  )
}

/** The yearly rate that a book paid on idle cash at a midnight, in basis points. */
export type CashYield = { midnightMs: number; rateBps: number }
