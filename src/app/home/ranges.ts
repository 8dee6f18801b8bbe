import { RANGES } from '#contract/query-values.ts'
import { DAY_MS } from '#core/market/candle.ts'
import type { Portfolio } from '#contract/market.ts'
import type { Range } from '#app/api/queries.ts'

const LENGTHS: Record<Range, { days: number; name: string }> = {
  '1D': { days: 1, name: 'a day' },
  '1W': { days: 7, name: 'a week' },
  '1M': { days: 30, name: 'a month' },
  '1Y': { days: 365, name: 'a year' },
  All: { days: 0, name: '' },
}

export type RangeOption = { value: Range; text: string; disabled: string | undefined }

/** A range longer than the account's age would show the same as 'All'. Before the portfolio is known, all can be chosen. */
export function rangeOptions(portfolio: Pick<Portfolio, 'since' | 'curve'> | undefined): RangeOption[] {
  const now = portfolio?.curve.at(-1)?.at
  const ageDays = portfolio && now !== undefined ? (Date.parse(now) - Date.parse(portfolio.since)) / DAY_MS : Number.POSITIVE_INFINITY
  return RANGES.map((value) => {
    const { days, name } = LENGTHS[value]
    return { value, text: value, disabled: days > ageDays ? `For accounts older than ${name}` : undefined }
  })
}

/** The range to show: 'All' in place of one that cannot be chosen. */
export function shownRange(range: Range, options: readonly RangeOption[]): Range {
  return options.find(({ value }) => value === range)?.disabled === undefined ? range : 'All'
}
