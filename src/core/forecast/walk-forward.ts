import { coefficientsOf, meanOf, rounded, varianceOf, type RangeCoefficients } from './model.ts'
import {
  chanceOfFall,
  quantileAt,
  rangeOf,
  standardMoves,
  STEPS,
  swingOf,
  type Range,
  type StandardMoves,
} from './range.ts'
import { isResting } from './rest.ts'
import type { ForecastRow } from './rows.ts'

/** Fewer rows train no model. */
const LEAST_ROWS = 500
/**
 * From this number of past forecasts on, ranges are computed from the forecasts, before that from
 * the training rows.
 */
const LEAST_FORECASTS = 1_500
/** The fall whose chance is scored, a fraction. */
export const SCORED_FALL = 0.05

/**
 * `moves` and `falls`: quantiles at 1/40 … 39/40, in swings. `plainScale`: the `scale` of the plain
 * formula. `resting`: the plain formula's model while it replaces this one.
 */
export type RangeModel = RangeCoefficients &
  StandardMoves & {
    trainedUntilMs: number
    rows: number
    plainScale: number
    resting?: RangeCoefficients & StandardMoves
  }

/** `range80` and `range95` contain 80 and 95 % of past moves. */
export type RangeOutlook = { variance: number; range80: Range; range95: Range }

/**
 * `chance`: of a fall of 5 % or more, a fraction. `plain`: the same day by the plain formula.
 * `fitted`: the plain formula's variance times the scale of its month.
 */
export type RangeForecast = RangeOutlook & {
  row: ForecastRow
  plain: RangeOutlook
  fitted: number
  chance: number
}

/** A forecast whose outcome is known: a later model learns from how far it missed. */
export type ScoredForecast = {
  row: Pick<ForecastRow, 'timeMs' | 'knownAtMs' | 'target' | 'plain' | 'move' | 'fall'>
  variance: number
  fitted: number
}

/**
 * Trains a model at the first midnight of each month and forecasts that month with it. Users would
 * have received these forecasts, except while the model rests.
 */
export function walkForward(rows: readonly ForecastRow[]): {
  models: RangeModel[]
  forecasts: RangeForecast[]
} {
  const models: RangeModel[] = []
  const forecasts: RangeForecast[] = []
  for (const trainedUntilMs of monthStarts(rows)) {
    const trained = trainMonth({ rows, forecasts, trainedUntilMs })
    if (!trained) continue
    const { model, coefficients, basis } = trained
    models.push(model)
    const endMs = nextMonth(trainedUntilMs)
    const month = rows.filter(({ timeMs }) => timeMs >= trainedUntilMs && timeMs < endMs)
    const fitted = { ...coefficients, plainScale: model.plainScale }
    forecasts.push(...month.map((row) => forecastOf(row, fitted, basis)))
  }
  return { models, forecasts }
}

/**
 * Learns from the rows and forecasts whose outcome was known by then (purged). Undefined with too
 * few rows.
 */
export function trainMonth({
  rows,
  forecasts,
  trainedUntilMs,
}: {
  rows: readonly ForecastRow[]
  forecasts: readonly ScoredForecast[]
  trainedUntilMs: number
}): { model: RangeModel; coefficients: RangeCoefficients; basis: Basis } | undefined {
  const known = rows.filter(({ knownAtMs }) => knownAtMs <= trainedUntilMs)
  if (known.length < LEAST_ROWS) return undefined
  const coefficients = coefficientsOf(known)
  const past = forecasts.filter(({ row }) => row.knownAtMs <= trainedUntilMs)
  const basis = basisOf({ known, coefficients, past })
  const model = {
    ...coefficients,
    trainedUntilMs,
    rows: known.length,
    plainScale: rounded(meanOf(known, ({ target, plain }) => target / plain)),
    ...published(basis.model),
    ...(isResting(past, trainedUntilMs) && { resting: plainModel(basis.plain) }),
  }
  return { model, coefficients, basis }
}

/** The coefficients and past moves that answer: the plain formula's while the model rests. */
export function answering(model: RangeModel): RangeModel {
  return { ...model, ...model.resting }
}

function plainModel(moves: StandardMoves): RangeCoefficients & StandardMoves {
  return { a: 0, b: [], scale: 1, ...published(moves) }
}

type Basis = { model: StandardMoves; plain: StandardMoves }

function basisOf({
  known,
  coefficients,
  past,
}: {
  known: readonly ForecastRow[]
  coefficients: RangeCoefficients
  past: readonly ScoredForecast[]
}): Basis {
  const used =
    past.length >= LEAST_FORECASTS
      ? past.map(({ row, variance }) => ({ row, variance }))
      : known.map((row) => ({ row, variance: varianceOf(coefficients, row) }))
  return {
    model: standardMoves(used),
    plain: standardMoves(used.map(({ row }) => ({ row, variance: row.plain }))),
  }
}

function forecastOf(
  row: ForecastRow,
  coefficients: RangeCoefficients & { plainScale: number },
  { model, plain }: Basis,
): RangeForecast {
  const variance = varianceOf(coefficients, row)
  return {
    row,
    ...rangeOutlookOf(model, variance),
    plain: rangeOutlookOf(plain, row.plain),
    fitted: coefficients.plainScale * row.plain,
    chance: chanceOfFall(model, { swing: swingOf(variance), fraction: SCORED_FALL }),
  }
}

function rangeOutlookOf(moves: StandardMoves, variance: number): RangeOutlook {
  const swing = swingOf(variance)
  return { variance, range80: rangeOf(moves, swing, 80), range95: rangeOf(moves, swing, 95) }
}

function published({ moves, falls }: StandardMoves): StandardMoves {
  const quantiles = (sorted: readonly number[]) =>
    Array.from({ length: STEPS - 1 }, (_, index) => rounded(quantileAt(sorted, index + 1)))
  return { moves: quantiles(moves), falls: quantiles(falls) }
}

function monthStarts(rows: readonly ForecastRow[]): number[] {
  const lastMs = rows.at(-1)?.timeMs ?? 0
  const starts: number[] = []
  for (let at = nextMonth(rows[0]?.timeMs ?? 0); at <= lastMs; at = nextMonth(at)) starts.push(at)
  return starts
}

function nextMonth(timeMs: number): number {
  const date = new Date(timeMs)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)
}
