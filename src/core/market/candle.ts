import type { Units } from '#core/money/amount.ts'

/** One hour, the only interval of decisions. Missing hours are never filled. */
export type Candle = {
  /** UTC, a whole hour. */
  openTimeMs: number
  /** Units of quote per whole base asset. */
  open: Units
  high: Units
  low: Units
  close: Units
}

export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS
export const HOURS_A_YEAR = 365 * 24
export const YEAR_MS = HOURS_A_YEAR * HOUR_MS

/** Open time of the candle running at `timeMs`. */
export function floorHour(timeMs: number): number {
  return Math.floor(timeMs / HOUR_MS) * HOUR_MS
}
