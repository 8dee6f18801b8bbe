import type { Units } from '#core/money/amount.ts'

/** One hour of trading (the only interval the product decides on). A missing hour stays missing: holes are never filled. */
export type Candle = {
  /** Open time, milliseconds since 1970 UTC, a whole hour. */
  openTimeMs: number
  /** Prices in units of quote per whole base asset. */
  open: Units
  high: Units
  low: Units
  close: Units
}

export const HOUR_MS = 3_600_000
