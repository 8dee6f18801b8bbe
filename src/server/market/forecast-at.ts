import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Market } from '#contract/market.ts'
import { swingAfter } from '#core/forecast/model.ts'
import { range80Of } from '#core/forecast/range.ts'
import { answering, type RangeModel } from '#core/forecast/walk-forward.ts'
import { countBefore } from '#core/market/candle-series.ts'
import type { Pair } from '#core/market/pair.ts'
import type { Candles } from '#server/ports/market-view.ts'

/** One model of a month per line, written by `npm run evidence`. */
export const RANGE_MODELS = join(import.meta.dirname, '../../../data/models/range-24h.jsonl')

let shipped: RangeModel | undefined
const trained = new WeakMap<Candles, { model: RangeModel; answers: RangeModel }>()

/** Forecast at `atMs` by the newest model. Null for a pair with too few candles by then. */
export function forecastAt(
  candles: Candles,
  { pair, atMs }: { pair: Pair; atMs: number },
): Market['forecast'] {
  const model = newestModel(candles)
  const series = candles.until(pair, atMs)
  const swing = swingAfter(model, { series, count: countBefore(series, atMs) })
  if (swing === undefined) return null
  const { low, high } = range80Of(model, swing)
  return { low: percentOf(low), high: percentOf(high), rests: model.resting !== undefined }
}

/** From now on, forecasts for these candles come from `model`, trained on their live market. */
export function answerBy(candles: Candles, model: RangeModel): void {
  if (trained.get(candles)?.model !== model)
    trained.set(candles, { model, answers: answering(model) })
}

/**
 * The newest model: on a live market one trained there, otherwise the newest shipped one. While the
 * model rests, it has the coefficients of the plain formula.
 */
export function newestModel(candles: Candles): RangeModel {
  return trained.get(candles)?.answers ?? shippedModel()
}

function shippedModel(): RangeModel {
  shipped ??= answering(modelIn(readFileSync(RANGE_MODELS, 'utf8').trim().split('\n').at(-1) ?? ''))
  return shipped
}

function modelIn(line: string): RangeModel {
  const { trainedUntil, ...model } = JSON.parse(line) as RangeModel & { trainedUntil: string }
  return { ...model, trainedUntilMs: Date.parse(trainedUntil) }
}

function percentOf(move: number): string {
  return (100 * Math.expm1(move)).toFixed(2)
}
