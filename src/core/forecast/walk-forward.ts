import { groupBy } from '#core/group-by.ts'
import { DAY_MS } from '#core/market/candle.ts'
import { coefficientsOf, meanOf, rounded, sumOf, swingOf, varianceOf } from './model.ts'
import type { RangeCoefficients } from './model.ts'
import { chanceOfFall, quantileAt, rangeOf, standardMoves, STEPS } from './range.ts'
import type { Range, StandardMoves } from './range.ts'
import type { ForecastRow } from './rows.ts'

/** Fewer rows train no model. */
const LEAST_ROWS = 500
/** With fewer past forecasts, ranges are computed from the training rows. */
const LEAST_FORECASTS = 1_500
/** The model is compared with the plain formula over this time. */
export const JUDGED_DAYS = 365

/**
 * `moves` and `falls`: quantiles at 1/40 … 39/40. `plainScale`: the `scale` of the plain formula.
 * `resting`: the plain formula's model while it replaces this one.
 */
export type RangeModel = RangeCoefficients &
  StandardMoves & {
    trainedUntilMs: number
    rows: number
    plainScale: number
    resting?: RangeCoefficients & StandardMoves
  }

/** `range80` and `range95` contain 80 and 95 % of past moves. `chance`: of a fall, a fraction. */
export type RangeOutlook = { variance: number; range80: Range; range95: Range; chance: number }

/**
 * A forecast with its known outcome. `fitted`: the plain formula's variance times the scale of its
 * month.
 */
export type ScoredForecast = {
  row: Pick<ForecastRow, 'timeMs' | 'knownAtMs' | 'target' | 'plain' | 'move' | 'fall'>
  variance: number
  fitted: number
}

/** `plain`: the plain formula's forecast of the same day. */
export type RangeForecast = RangeOutlook &
  ScoredForecast & { row: ForecastRow; plain: RangeOutlook }

/**
 * Trains a model at the first midnight of each month and forecasts that month with it. Users would
 * have received these forecasts, except while the model rests.
 */
export function walkForward(rows: readonly ForecastRow[]) {
  const models: RangeModel[] = []
  const forecasts: RangeForecast[] = []
  for (const [trainedUntilMs, month] of groupBy(rows, ({ timeMs }) => firstOfMonth(timeMs))) {
    const trained = trainMonth({ rows, forecasts, trainedUntilMs })
    if (!trained) continue
    const { model, moves, plainMoves } = trained
    models.push(model)
    for (const row of month)
      forecasts.push({
        row,
        ...outlookOf(moves, varianceOf(model, row)),
        plain: outlookOf(plainMoves, row.plain),
        fitted: model.plainScale * row.plain,
      })
  }
  return { models, forecasts }
}

/** Trains on the outcomes known at that midnight (purging). Undefined if they are too few. */
export function trainMonth({
  rows,
  forecasts,
  trainedUntilMs,
}: {
  rows: readonly ForecastRow[]
  forecasts: readonly ScoredForecast[]
  trainedUntilMs: number
}) {
  const known = rows.filter(({ knownAtMs }) => knownAtMs <= trainedUntilMs)
  if (known.length < LEAST_ROWS) return undefined
  const coefficients = coefficientsOf(known)
  const past = forecasts.filter(({ row }) => row.knownAtMs <= trainedUntilMs)
  const used =
    past.length < LEAST_FORECASTS
      ? known.map((row) => ({ row, variance: varianceOf(coefficients, row) }))
      : past
  const moves = standardMoves(used)
  const plainMoves = standardMoves(used.map(({ row }) => ({ row, variance: row.plain })))
  const rests = isResting(past, trainedUntilMs)
  const model: RangeModel = {
    ...coefficients,
    trainedUntilMs,
    rows: known.length,
    plainScale: rounded(meanOf(known, ({ target, plain }) => target / plain)),
    ...published(moves),
    ...(rests && { resting: { a: 0, b: [], scale: 1, ...published(plainMoves) } }),
  }
  return { model, moves, plainMoves }
}

/**
 * Whether the plain formula replaces the model, because the model's loss was larger over the last
 * 365 days with a known outcome. Days on which the model rested count too, so that it can return.
 */
export function isResting(past: readonly ScoredForecast[], atMs: number): boolean {
  const fromMs = atMs - JUDGED_DAYS * DAY_MS
  const judged = past.filter(({ row }) => row.knownAtMs <= atMs && row.timeMs >= fromMs)
  const excess = ({ row, variance, fitted }: ScoredForecast) =>
    qlike(row.target, variance) - qlike(row.target, fitted)
  return sumOf(judged, excess) > 0
}

/** The coefficients and past moves in use: the plain formula's while the model rests. */
export function answering(model: RangeModel): RangeModel {
  return { ...model, ...model.resting }
}

/**
 * QLIKE ranks forecasts of a variance correctly even though the variance itself can only be
 * measured with noise (Patton 2011, "Volatility Forecast Comparison Using Imperfect Volatility
 * Proxies"): y ÷ f − ln(y ÷ f) − 1, 0 at best.
 */
export function qlike(happened: number, forecast: number): number {
  const ratio = happened / forecast
  return ratio - Math.log(ratio) - 1
}

function outlookOf(moves: StandardMoves, variance: number): RangeOutlook {
  const swing = swingOf(variance)
  return {
    variance,
    range80: rangeOf(moves, swing, STEPS / 10),
    range95: rangeOf(moves, swing, STEPS / 40),
    chance: chanceOfFall(moves, swing),
  }
}

function published({ moves, falls }: StandardMoves): StandardMoves {
  const quantiles = (sorted: readonly number[]) =>
    Array.from({ length: STEPS - 1 }, (_, index) => rounded(quantileAt(sorted, index + 1)))
  return { moves: quantiles(moves), falls: quantiles(falls) }
}

export function firstOfMonth(timeMs: number): number {
  const date = new Date(timeMs)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1)
}
