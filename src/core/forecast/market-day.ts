import { countBefore } from '#core/market/candle-series.ts'
import { DAY_MS, HOUR_MS } from '#core/market/candle.ts'
import type { Pair } from '#core/market/pair.ts'
import { swingOf, varianceOf } from './model.ts'
import { chanceOfFall, range80Of, STEPS, type Range } from './range.ts'
import { pastDays, type ForecastMarket, type ForecastRow } from './rows.ts'
import { lastOf, swingsAfter } from './swings.ts'
import { firstOfMonth, trainMonth, type RangeModel, type ScoredForecast } from './walk-forward.ts'

/**
 * The range model on a live market: each midnight it forecasts each pair, and records the outcomes
 * of earlier forecasts. Recorded days never change.
 */

/** `plain`: variance an hour by the plain formula. `chance`: of a fall of 5 % or more. */
export type DayForecast = {
  pair: Pair
  variance: number
  plain: number
  range80: Range
  chance: number
}

/** `timeMs`: of the forecast. */
export type DayOutcome = Pick<
  ForecastRow,
  'pair' | 'timeMs' | 'knownAtMs' | 'target' | 'move' | 'fall'
>

/** `learnedFrom`: pairs of this market among the training rows. */
export type MarketModel = RangeModel & { learnedFrom: readonly Pair[] }

/** `model`: present on the market's first day and on the first day of each month. */
export type MarketDay = {
  timeMs: number
  model?: MarketModel | undefined
  forecasts: readonly DayForecast[]
  outcomes: readonly DayOutcome[]
}

/** Pairs with fewer days on this market are left out of the training rows. */
const LEAST_DAYS = 365

/** A forecast counts if it was made before its first candle closed. */
export const MADE_WITHIN_MS = HOUR_MS

/** `recorded`: the walk over the shipped candles, computed only for training. */
type Teachers = { recorded: () => Walk; own: readonly ForecastMarket[] }
type Walk = { rows: readonly ForecastRow[]; forecasts: readonly ScoredForecast[] }

/** `days`: all earlier ones. Reads no candle that closed after `timeMs`, a midnight. */
export function marketDay({
  timeMs,
  days,
  ...teachers
}: Teachers & { timeMs: number; days: readonly MarketDay[] }): MarketDay {
  const trainedUntilMs = firstOfMonth(timeMs)
  const before = days.findLast(({ model }) => model)?.model
  const isDue = before === undefined || before.trainedUntilMs < trainedUntilMs
  const trained = isDue ? trainOn(teachers, { days, trainedUntilMs }) : undefined
  const model = trained ?? before
  return {
    timeMs,
    ...(trained && { model: trained }),
    forecasts: model ? forecastsOf(model, teachers.own, timeMs) : [],
    outcomes: outcomesOf(days, teachers.own, timeMs),
  }
}

/** Trains as for the shipped models, on the shipped candles and those of this market. */
export function trainOn(
  { recorded, own }: Teachers,
  { days, trainedUntilMs }: { days: readonly MarketDay[]; trainedUntilMs: number },
): MarketModel | undefined {
  const shipped = recorded()
  const isMine = isAfter(shipped.rows)
  const mine = own
    .map((market) => ownRows(market, trainedUntilMs).filter(isMine))
    .filter(({ length }) => length >= LEAST_DAYS)
  const trained = trainMonth({
    rows: [...shipped.rows, ...mine.flat()].toSorted((one, other) => one.timeMs - other.timeMs),
    forecasts: [...shipped.forecasts, ...scoredForecasts(days).filter(({ row }) => isMine(row))],
    trainedUntilMs,
  })
  return trained && { ...trained.model, learnedFrom: mine.flatMap(([row]) => row?.pair ?? []) }
}

/** Keeps days that are also in the shipped candles from counting twice. */
function isAfter(shipped: readonly ForecastRow[]) {
  const last = new Map(shipped.map(({ pair, timeMs }) => [pair, timeMs]))
  return ({ pair, timeMs }: Pick<ForecastRow, 'pair' | 'timeMs'>) => timeMs > (last.get(pair) ?? 0)
}

/** Days with an hour missing are left out. */
function ownRows(market: ForecastMarket, untilMs: number): ForecastRow[] {
  return pastDays(until(market, untilMs))
    .filter(({ timeMs, knownAtMs }) => knownAtMs === timeMs + DAY_MS)
    .map((day) => ({ ...day, pair: market.pair }))
}

function until({ series }: ForecastMarket, timeMs: number) {
  const count = countBefore(series, timeMs)
  return lastOf({ series, count }, count)
}

/** Skips pairs whose last candle is missing. */
function forecastsOf(
  model: RangeModel,
  own: readonly ForecastMarket[],
  timeMs: number,
): DayForecast[] {
  return own.flatMap(({ pair, series }) => {
    const count = countBefore(series, timeMs)
    const swings = swingsAfter({ series, count })
    if (!swings || series.openTimesMs[count - 1] !== timeMs - HOUR_MS) return []
    const variance = varianceOf(model, swings)
    return [{ pair, variance, plain: swings.plain, ...saidBy(model, variance) }]
  })
}

/**
 * The forecast by the published quantiles. They determine a chance only to a fortieth, so the
 * middle of that step is used.
 */
export function saidBy(
  model: RangeModel,
  variance: number,
): Pick<DayForecast, 'range80' | 'chance'> {
  const swing = swingOf(variance)
  return {
    range80: range80Of(model, swing),
    chance: (chanceOfFall(model, swing) * model.falls.length + 0.5) / STEPS,
  }
}

/** Outcomes of the forecasts that had none so far. */
function outcomesOf(
  days: readonly MarketDay[],
  own: readonly ForecastMarket[],
  timeMs: number,
): DayOutcome[] {
  const known = outcomesByForecast(days)
  return own.flatMap(({ pair, series }) => {
    const open = new Set(
      days
        .filter(({ forecasts }) => forecasts.some((forecast) => forecast.pair === pair))
        .map((day) => day.timeMs)
        .filter((madeMs) => !known.has(`${pair} ${madeMs}`)),
    )
    if (open.size === 0) return []
    return pastDays(until({ pair, series }, timeMs))
      .filter((day) => open.has(day.timeMs))
      .map((day) => ({
        pair,
        timeMs: day.timeMs,
        knownAtMs: day.knownAtMs,
        target: day.target,
        move: day.move,
        fall: day.fall,
      }))
  })
}

function outcomesByForecast(days: readonly MarketDay[]): Map<string, DayOutcome> {
  return new Map(
    days.flatMap(({ outcomes }) => outcomes.map((one) => [`${one.pair} ${one.timeMs}`, one])),
  )
}

/** Forecasts of this market with their outcomes, oldest first. */
export function scoredForecasts(
  days: readonly MarketDay[],
): (ScoredForecast & DayForecast & { row: DayOutcome })[] {
  const outcomes = outcomesByForecast(days)
  let scale = 0
  return days.flatMap(({ timeMs, model, forecasts }) => {
    scale = model?.plainScale ?? scale
    return forecasts.flatMap((forecast) => {
      const row = outcomes.get(`${forecast.pair} ${timeMs}`)
      const { plain } = forecast
      return row ? [{ ...forecast, row: { ...row, plain }, fitted: scale * plain }] : []
    })
  })
}
