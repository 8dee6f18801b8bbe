import { RANGES, WHOLE_RANGE } from '#contract/query-values.ts'
import { DAY_MS } from '#core/market/candle.ts'
import type { Portfolio } from '#contract/market.ts'
import { msg, say } from '#words/words.ts'
import type { Range } from '#app/api/queries.ts'
import { rangeText } from '#app/market/range-text.ts'

const LIMITS: Partial<Record<Range, { days: number; reason: string }>> = {
  '1D': { days: 1, reason: msg('For accounts older than a day') },
  '1W': { days: 7, reason: msg('For accounts older than a week') },
  '1M': { days: 30, reason: msg('For accounts older than a month') },
  '1Y': { days: 365, reason: msg('For accounts older than a year') },
}

export type RangeOption = { value: Range; text: string; disabled: string | undefined }

/**
 * A range longer than the account's age would show the same as 'All'. Before the portfolio is
 * known, all can be chosen.
 */
export function rangeOptions(
  portfolio: Pick<Portfolio, 'since' | 'curve'> | undefined,
): RangeOption[] {
  const now = portfolio?.curve.at(-1)?.at
  const ageDays =
    portfolio && now !== undefined
      ? (Date.parse(now) - Date.parse(portfolio.since)) / DAY_MS
      : Number.POSITIVE_INFINITY
  return RANGES.map((value) => {
    const limit = LIMITS[value]
    return {
      value,
      text: rangeText(value),
      disabled: limit && limit.days > ageDays ? say(limit.reason) : undefined,
    }
  })
}

/** The range to show: 'All' in place of one that cannot be chosen. */
export function shownRange(range: Range, options: readonly RangeOption[]): Range {
  return options.find(({ value }) => value === range)?.disabled === undefined ? range : WHOLE_RANGE
}
