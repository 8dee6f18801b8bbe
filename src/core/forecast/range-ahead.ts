import type { CandleSeries } from '#core/market/candle-series.ts'
import { DAY_MS, HOUR_MS } from '#core/market/candle.ts'
import { PAST_DAYS, standardPaths, type StandardPaths } from './bot-day.ts'
import { varianceOf } from './model.ts'
import { STEPS, swingOf, type Range } from './range.ts'
import { pastDays } from './rows.ts'
import {
  MOST_CANDLES,
  squaredMoves,
  swingAverages,
  swingFeatures,
  type SwingFeatures,
} from './swings.ts'
import type { RangeModel } from './walk-forward.ts'

/** Steps beyond either end of the 80 % range. */
const BEYOND = STEPS / 10

/** The first `count` candles of a series. */
type Known = { series: CandleSeries; count: number }

/** The 80 % range of the next 24 candles. Undefined if too few candles are known. */
export function nextDayRange(model: RangeModel, known: Known): Range | undefined {
  const swing = swingAfter(model, known)
  return swing === undefined ? undefined : range80Of(model, swing)
}

export function range80Of({ moves }: Pick<RangeModel, 'moves'>, swing: number): Range {
  const quantile = (step: number) => moves[step - 1] ?? 0
  return { low: swing * quantile(BEYOND), high: swing * quantile(STEPS - BEYOND) }
}

/** The swing of the next 24 candles. Undefined if too few candles are known. */
export function swingAfter(model: RangeModel, known: Known): number | undefined {
  const swings = swingsAfter(known)
  return swings && swingOf(varianceOf(model, swings))
}

export function swingsAfter(known: Known): SwingFeatures | undefined {
  const last = lastOf(known, MOST_CANDLES + 1)
  return swingFeatures(swingAverages(squaredMoves(last)), last.length - 1)
}

/** The past days that `botDay` needs. */
export function lastPaths(model: RangeModel, known: Known): StandardPaths {
  const candles = MOST_CANDLES + ((PAST_DAYS + 2) * DAY_MS) / HOUR_MS
  return standardPaths(model, pastDays(lastOf(known, candles)))
}

export function lastOf({ series, count }: Known, most: number) {
  const first = Math.max(0, count - most)
  return {
    closeSignal: series.closeSignal.subarray(first, count),
    openTimesMs: series.openTimesMs.subarray(first, count),
    length: count - first,
  }
}
