import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Market } from '#contract/market.ts'
import { nextDayRange } from '#core/forecast/range-ahead.ts'
import { answering, type RangeModel } from '#core/forecast/walk-forward.ts'
import { countBefore, type CandleSeries } from '#core/market/candle-series.ts'

/** One model of a month per line, written by `npm run evidence`. */
export const RANGE_MODELS = join(import.meta.dirname, '../../../data/models/range-24h.jsonl')

let newest: RangeModel | undefined

/**
 * Forecast at `atMs` by the newest model that ships. Null for a pair with too few candles by then.
 */
export function forecastAt(series: CandleSeries, atMs: number): Market['forecast'] {
  const model = newestModel()
  const range = nextDayRange(model, { series, count: countBefore(series, atMs) })
  const rests = model.resting !== undefined
  return range ? { low: percentOf(range.low), high: percentOf(range.high), rests } : null
}

/** Has the coefficients of the plain formula while the model rests. */
export function newestModel(): RangeModel {
  newest ??= answering(modelIn(readFileSync(RANGE_MODELS, 'utf8').trim().split('\n').at(-1) ?? ''))
  return newest
}

function modelIn(line: string): RangeModel {
  const { trainedUntil, ...model } = JSON.parse(line) as RangeModel & { trainedUntil: string }
  return { ...model, trainedUntilMs: Date.parse(trainedUntil) }
}

function percentOf(move: number): string {
  return (100 * Math.expm1(move)).toFixed(2)
}
