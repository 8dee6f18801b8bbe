import type { RANGES } from './query-values.ts'

/** The length of each range of a chart, in days. */
export const RANGE_DAYS: Record<(typeof RANGES)[number], number> = {
  '1D': 1,
  '1W': 7,
  '1M': 30,
  '1Y': 365,
  All: Number.POSITIVE_INFINITY,
}
