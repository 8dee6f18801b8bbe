import { DAY_MS } from '#core/market/candle.ts'
import { meanOf } from './model.ts'
import type { ForecastRow } from './rows.ts'

/** `variance`: by the model. `fitted`: by the plain formula, scaled by the same training rows. */
export type Rivals = {
  row: Pick<ForecastRow, 'timeMs' | 'knownAtMs' | 'target'>
  variance: number
  fitted: number
}

export const JUDGED_DAYS = 365

/**
 * Whether the model rests, so that the plain formula answers: over the last 365 days with a known
 * outcome, the model's mean loss was larger. Days on which the model rested count too, so that it
 * can return.
 */
export function isResting(past: readonly Rivals[], atMs: number): boolean {
  const fromMs = atMs - JUDGED_DAYS * DAY_MS
  const judged = past.filter(({ row }) => row.knownAtMs <= atMs && row.timeMs >= fromMs)
  const loss = (of: (rivals: Rivals) => number) =>
    meanOf(judged, (rivals) => qlike(rivals.row.target, of(rivals)))
  return loss(({ variance }) => variance) > loss(({ fitted }) => fitted)
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
