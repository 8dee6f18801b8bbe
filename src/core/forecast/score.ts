import { meanOf } from './model.ts'
import { SCORED_FALL, type Range } from './range.ts'
import type { ForecastRow } from './rows.ts'
import { qlike, type RangeForecast, type RangeOutlook } from './walk-forward.ts'

/** `held80` and `held95`: days whose close stayed in the range. */
export type OutlookScore = { qlike: number; held80: number; held95: number }

/** Scores of the model and of the plain formula on the same days. */
export type ForecastScore = OutlookScore & { days: number; plain: OutlookScore }

/**
 * Days whose forecast chance was from `from` to below `to` percent. `said`: the mean of these
 * chances, a fraction.
 */
export type SaidChance = { from: number; to: number; days: number; said: number; happened: number }

/** Bounds, in percent, of the groups of chances that are compared with outcomes. */
const CHANCES = [0, 2, 6, 11, 15, 20, 30, 100] as const

/** At least one forecast. */
export function scoreOf(forecasts: readonly RangeForecast[]): ForecastScore {
  return {
    days: forecasts.length,
    ...outlookScore(forecasts, (forecast) => forecast),
    plain: outlookScore(forecasts, ({ plain }) => plain),
  }
}

/** Scores of the calmest, middle and wildest third of days, by their forecast variance. */
export function scoresOfThirds(forecasts: readonly RangeForecast[]): ForecastScore[] {
  const sorted = forecasts.toSorted((one, other) => one.variance - other.variance)
  const third = (part: number) => Math.floor((sorted.length * part) / 3)
  return [0, 1, 2].map((part) => scoreOf(sorted.slice(third(part), third(part + 1))))
}

/** `chance`: as forecast, a fraction. `came`: whether the fall happened. */
export type SaidAndHappened = { chance: number; came: boolean }

/** Compares the forecast chances of falls with how often the falls happened. */
export function saidAndHappened(falls: readonly SaidAndHappened[]): SaidChance[] {
  return CHANCES.slice(0, -1).flatMap((from, index) => {
    const to = CHANCES[index + 1] ?? 100
    const days = falls.filter(({ chance }) => chance * 100 >= from && chance * 100 < to)
    if (days.length === 0) return []
    const happened = days.filter(({ came }) => came).length
    return [{ from, to, days: days.length, said: meanOf(days, ({ chance }) => chance), happened }]
  })
}

/** Falls of 5 % or more. */
export function fallsOf(
  forecasts: readonly { chance: number; row: Pick<ForecastRow, 'fall'> }[],
): SaidAndHappened[] {
  const limit = Math.log(1 - SCORED_FALL)
  return forecasts.map(({ chance, row }) => ({ chance, came: row.fall <= limit }))
}

function outlookScore(
  forecasts: readonly RangeForecast[],
  outlook: (forecast: RangeForecast) => RangeOutlook,
): OutlookScore {
  const held = (range: (of: RangeOutlook) => Range) =>
    forecasts.filter((one) => holds(range(outlook(one)), one.row.move)).length
  return {
    qlike: meanOf(forecasts, (one) => qlike(one.row.target, outlook(one).variance)),
    held80: held(({ range80 }) => range80),
    held95: held(({ range95 }) => range95),
  }
}

export function holds({ low, high }: Range, move: number): boolean {
  return move >= low && move <= high
}
