/**
 * Values of queries that the app offers or limits itself. Plain data, apart from the schemas: the
 * browser carries no schema library.
 */

/** The range that begins with the account or the market. */
export const WHOLE_RANGE = 'All'
/** The lengths of a chart. */
export const RANGES = ['1D', '1W', '1M', '1Y', WHOLE_RANGE] as const

/** In days. */
export const RANGE_DAYS: Record<(typeof RANGES)[number], number> = {
  '1D': 1,
  '1W': 7,
  '1M': 30,
  '1Y': 365,
  All: Number.POSITIVE_INFINITY,
}

/** The longest text that can be searched for in the history. */
export const MAX_SEARCH = 100
