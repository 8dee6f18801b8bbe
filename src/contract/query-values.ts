/**
 * Query values that the app offers or limits. Separate from the schemas, because the browser loads
 * no schema library.
 */

/** From the beginning of the account or the market. */
export const WHOLE_RANGE = 'All'
export const RANGES = ['1D', '1W', '1M', '1Y', WHOLE_RANGE] as const
/** The range until the user chooses one. */
export const FIRST_RANGE = '1M'

export const RANGE_DAYS: Record<(typeof RANGES)[number], number> = {
  '1D': 1,
  '1W': 7,
  '1M': 30,
  '1Y': 365,
  All: Number.POSITIVE_INFINITY,
}

/** Maximum characters of a search in the history. */
export const MAX_SEARCH = 100
